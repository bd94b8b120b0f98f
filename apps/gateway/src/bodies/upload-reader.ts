import { createHash, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { BusClient } from '@signalbox/bus';
import {
  ApiError,
  invalidField,
  MAX_UPLOAD_BYTES,
  type Upload,
  UPLOAD_TYPES,
  type UploadType,
} from '@signalbox/contracts';
import { largeWork } from '@signalbox/platform';
import type { RequestContext } from '../request/index.js';
import { type FormFile, readForm } from './multipart-form.js';
import { bytesOf, UploadedBody, uploaderOf, type UploadSlots } from './upload-slots.js';

/** Characters per part: well below the size limit of a NATS message when encoded as JSON. */
const PART_CHARS = 524_288;
/** Memory of one upload at most: a part, and what arrives while it is stored. */
const HELD_BYTES = 2_097_152;
const LIMITS = { files: 1, fields: 1, fieldBytes: 1000 };

const TYPE_OF_EXTENSION: Record<string, string> = {
  csv: 'text/csv',
  jsonl: 'application/jsonl',
  ndjson: 'application/x-ndjson',
};

/** Stores text files with their service part by part, so that no process holds a whole file. */
export class UploadReader {
  constructor(
    private readonly bus: BusClient,
    private readonly slots: UploadSlots,
  ) {}

  /** Throws 400 for a file that is not UTF-8, 413 for one over 100 MiB, 503 when too many are being received. */
  async read(context: RequestContext): Promise<UploadedBody> {
    const { request } = context;
    const body = request.raw;
    // The rest of a refused file may fail to arrive; an unhandled error event would end the process.
    body.on('error', () => undefined);
    const type = request.headers['content-type'] ?? '';
    const upload = await this.slots.hold(context, HELD_BYTES, () =>
      type.toLowerCase().startsWith('multipart/form-data')
        ? this.storeForm(context, body, type)
        : this.store(context, type, body),
    );
    return new UploadedBody(upload);
  }

  /** The extension of the file name wins over the content type. */
  private async storeForm(context: RequestContext, body: Readable, contentType: string): Promise<Upload> {
    const store = ({ field, name, type, content }: FormFile): Promise<Upload> => {
      if (field !== 'file') return Promise.reject(notKnown(field));
      return this.store(context, TYPE_OF_EXTENSION[extensionOf(name)] ?? type, content);
    };
    const { fields, files } = await readForm(body, contentType, LIMITS, store);
    if (fields[0]) throw notKnown(fields[0][0]);
    if (!files[0]) throw invalidField('file', 'is required');
    return files[0].value;
  }

  private async store(context: RequestContext, type: string, content: Readable): Promise<Upload> {
    const endpoint = context.route?.upload;
    if (!endpoint) throw new ApiError('unsupported_media', 'this path takes no file');
    const media_type: UploadType =
      UPLOAD_TYPES.find((each) => type.toLowerCase().startsWith(each)) ?? 'application/jsonl';
    const id = randomUUID();
    const hash = createHash('sha256').update(`${media_type}\n`);
    let parts = 0;
    for await (const text of textParts(content, (bytes) => hash.update(bytes))) {
      await largeWork.turn(text.length, context.companyId);
      await this.bus.forward(endpoint, { upload_id: id, part: parts++, text }, uploaderOf(context));
    }
    return { id, parts, media_type, sha256: hash.digest('hex') };
  }
}

const extensionOf = (name: string): string => /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
const notKnown = (field: string): ApiError => invalidField(field.slice(0, 200), 'is not a known field');

/** Decodes a file in parts that never divide a character. */
async function* textParts(content: Readable, received: (bytes: Buffer) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let text = '';
  for await (const chunk of bytesOf(content)) {
    if ((bytes += chunk.length) > MAX_UPLOAD_BYTES) throw new ApiError('too_large', 'the file is too large');
    received(chunk);
    text += decoded(decoder, chunk);
    if (text.length < PART_CHARS) continue;
    yield text;
    text = '';
  }
  text += decoded(decoder);
  if (text !== '') yield text;
}

function decoded(decoder: InstanceType<typeof TextDecoder>, chunk?: Buffer): string {
  let text: string;
  try {
    text = chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw new ApiError('invalid', 'the file is not UTF-8');
  }
  if (text.includes('\0')) throw new ApiError('invalid', 'the file must not contain NUL');
  return text;
}
