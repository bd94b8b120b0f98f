import { createHash, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { BusClient } from '@signalbox/bus';
import {
  ApiError,
  type Endpoint,
  FILE_PART_BYTES,
  type FileUpload,
  invalidField,
  MAX_FILE_BYTES,
} from '@signalbox/contracts';
import { largeWork } from '@signalbox/platform';
import type { RequestContext } from '../request/index.js';
import { valuesOf } from './form-fields.js';
import { type FormFile, readForm } from './multipart-form.js';
import { bytesOf, UploadedBody, uploaderOf, type UploadSlots } from './upload-slots.js';

/** Memory of one upload at most: a part in its encoded forms, and what arrives while it is stored. */
const HELD_BYTES = 6 * 1_048_576;
const LIMITS = { files: 1, fields: 20, fieldBytes: 65_536 };

/** Stores binary files with their service part by part, so that no process holds a whole file. */
export class FileReader {
  constructor(
    private readonly bus: BusClient,
    private readonly slots: UploadSlots,
  ) {}

  /** Throws 413 for a file over 50 MiB, 503 when too many are being received. */
  async read(context: RequestContext, endpoint: Endpoint): Promise<UploadedBody> {
    const { request } = context;
    const body = request.raw;
    // The rest of a refused file may fail to arrive; an unhandled error event would end the process.
    body.on('error', () => undefined);
    const type = request.headers['content-type'] ?? '';
    const { fields, files } = await this.slots.hold(context, HELD_BYTES, () =>
      readForm(body, type, LIMITS, (file) => this.store(context, file)),
    );
    const [file] = files;
    if (!file) throw invalidField('file', 'is required');
    const own = fields.find(([name]) => name === 'upload' || name === endpoint.uploadOr);
    if (own) throw invalidField(own[0], 'is not a known field');
    return new UploadedBody(file.value, valuesOf(endpoint, fields));
  }

  private async store(context: RequestContext, { field, type, content }: FormFile): Promise<FileUpload> {
    const endpoint = context.route?.upload;
    if (field !== 'file' || !endpoint) throw invalidField(field.slice(0, 200), 'is not a known field');
    const id = randomUUID();
    const hash = createHash('sha256');
    let parts = 0;
    let size_bytes = 0;
    for await (const part of partsOf(content)) {
      await largeWork.turn(part.length, context.companyId);
      hash.update(part);
      size_bytes += part.length;
      const input = { upload_id: id, part: parts++, text: part.toString('base64') };
      await this.bus.forward(endpoint, input, uploaderOf(context));
    }
    return { id, parts, size_bytes, content_type: type.slice(0, 300), sha256: hash.digest('hex') };
  }
}

/** Parts of one size, so that equal files have equal parts; the last one may be shorter. */
async function* partsOf(content: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let length = 0;
  let total = 0;
  for await (const chunk of bytesOf(content)) {
    if ((total += chunk.length) > MAX_FILE_BYTES) throw new ApiError('too_large', 'the file is too large');
    chunks.push(chunk);
    length += chunk.length;
    while (length >= FILE_PART_BYTES) {
      const all = Buffer.concat(chunks, length);
      yield all.subarray(0, FILE_PART_BYTES);
      chunks = [all.subarray(FILE_PART_BYTES)];
      length -= FILE_PART_BYTES;
    }
  }
  if (length > 0) yield Buffer.concat(chunks, length);
}
