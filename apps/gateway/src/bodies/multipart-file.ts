import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { ApiError, invalidField } from '@signalbox/contracts';

/** The file of a form, its content to be read at once. */
export interface FormFile {
  type: string;
  content: Readable;
}

const NAMED: Record<string, string> = { csv: 'text/csv', jsonl: 'application/jsonl', ndjson: 'application/x-ndjson' };

const badForm = (error: Error): ApiError =>
  error instanceof ApiError ? error : new ApiError('invalid', `the form is not valid: ${error.message}`);

const extensionOf = (name: string | undefined): string => /\.(\w+)$/.exec(name ?? '')?.[1]?.toLowerCase() ?? '';

/**
 * Finds the field `file` of a form, whose content follows while it is read; 400 when the form is malformed, has no such
 * field or another one. The extension of its name decides when its type does not.
 */
export function fileOf(body: Readable, contentType: string): Promise<FormFile> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error): void => reject(badForm(error));
    let form: InstanceType<typeof Busboy>;
    try {
      form = new Busboy({ headers: { 'content-type': contentType }, limits: { files: 1, fields: 1, parts: 2 } });
    } catch (error) {
      return failed(error as Error);
    }
    form.on('field', (name) => failed(invalidField(name.slice(0, 200), 'is not a known field')));
    form.on('file', (name, content, filename, _encoding, mimeType) => {
      if (name !== 'file') {
        content.resume();
        return failed(invalidField(name.slice(0, 200), 'is not a known field'));
      }
      // A form that ends early must end the file too, which may not be read any more then.
      content.on('error', () => undefined);
      const end = (error: Error): unknown => content.destroy(badForm(error));
      form.on('error', end);
      body.on('error', end);
      resolve({ type: NAMED[extensionOf(filename)] ?? mimeType, content: content as unknown as Readable });
    });
    form.on('error', failed);
    form.once('finish', () => failed(invalidField('file', 'is required')));
    body.on('error', failed);
    body.pipe(form);
  });
}
