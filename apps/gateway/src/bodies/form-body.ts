import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { type Endpoint, invalidField } from '@signalbox/contracts';
import { valuesOf } from './form-fields.js';
import { type FormFile, readForm } from './multipart-form.js';
import { bytesOf } from './upload-slots.js';

const LIMITS = { files: 200, fields: 200, fieldBytes: 1_048_576 };

export async function readFormBody(endpoint: Endpoint, type: string, bytes: Buffer): Promise<object> {
  const { fields, files } = await readForm(Readable.from([bytes]), type, LIMITS, (file) => valueOf(endpoint, file));
  const list = endpoint.form?.files ?? '';
  const values = valuesOf(endpoint, fields);
  const elements = files.filter(({ field }) => field === list).map(({ value }) => value);
  for (const { field, value } of files) {
    if (field === list) continue;
    if (field in values) throw invalidField(field, 'is given twice');
    values[field] = value;
  }
  if (elements.length === 0) return values;
  return { ...values, [list]: [...((values[list] as unknown[] | undefined) ?? []), ...elements] };
}

async function valueOf({ form }: Endpoint, { field, name, type, content }: FormFile): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytesOf(content)) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  if (field === form?.files) return { key: name, content_type: type, content_base64: bytes.toString('base64') };
  if (!isUtf8(bytes)) throw invalidField(field.slice(0, 200), 'is not UTF-8');
  return bytes.toString('utf8');
}
