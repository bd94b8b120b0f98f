import { createHash, randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { BusClient } from '@signalbox/bus';
import {
  ApiError,
  type Caller,
  type Endpoint,
  MAX_UPLOAD_BYTES,
  type Upload,
  UPLOAD_TYPES,
  type UploadType,
} from '@signalbox/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { BodyBounds } from './body-reader.js';
import { fileOf } from './multipart-file.js';

/** Characters of one part; as JSON in one message of the bus they stay far below its limit. */
const PART_CHARS = 524_288;
/** What an upload holds in memory at most: a part, and what has arrived while it was stored. */
const HELD_BYTES = 2_097_152;
const CALL_MS = 30_000;

/** The body of a call whose file was uploaded. */
export interface UploadBody {
  upload: Upload;
}

/** True for the body of a call whose file was uploaded. */
export const isUploadBody = (body: unknown): body is UploadBody => body instanceof StoredUpload;

class StoredUpload implements UploadBody {
  constructor(readonly upload: Upload) {}
}

/** Uploads are the only accepted bodies of these routes; everything else is 415. */
export function readUploads(app: FastifyInstance, reader: UploadReader): void {
  app.removeAllContentTypeParsers();
  const read = (request: FastifyRequest, body: Readable): Promise<UploadBody> => reader.read(request, body);
  app.addContentTypeParser([...UPLOAD_TYPES, 'multipart/form-data'], read);
}

/** Receives files and stores them with their service part by part, so that no process holds a whole file. */
export class UploadReader {
  constructor(
    private readonly bus: BusClient,
    private readonly bounds: BodyBounds,
  ) {}

  /** 400 for a file that is not UTF-8 text, 413 for one over 100 MiB, 503 when too many bodies are being received. */
  async read(request: FastifyRequest, body: Readable): Promise<UploadBody> {
    const { exchange } = request;
    // The rest of a refused file may fail to arrive; an error event without a listener would end the process.
    body.on('error', () => undefined);
    if (!exchange?.upload) throw new ApiError('unsupported_media', 'this path takes no file');
    const address = this.bounds.addressOf(request);
    const leave = await this.slot(address);
    try {
      this.bounds.budget.take(address, HELD_BYTES);
      try {
        const caller: Caller = {
          companyId: exchange.key?.companyId ?? 0,
          keyId: exchange.key?.keyId ?? null,
          scopes: (exchange.key?.scopes ?? []) as Caller['scopes'],
          requestId: request.id,
          deadline: 0,
        };
        return await this.store(exchange.upload, caller, typeOf(request), body);
      } finally {
        this.bounds.budget.release(address, HELD_BYTES);
      }
    } finally {
      leave();
    }
  }

  private slot(address: string): Promise<() => void> {
    return new Promise((resolve, reject) => {
      this.bounds.large.enter(address, (leave) =>
        leave
          ? resolve(leave)
          : reject(new ApiError('unavailable', 'too many large request bodies are being received', { retryAfter: 1 })),
      );
    });
  }

  private async store(endpoint: Endpoint, caller: Caller, given: string, body: Readable): Promise<UploadBody> {
    const isForm = given.toLowerCase().startsWith('multipart/form-data');
    const file = isForm ? await fileOf(body, given) : { type: given, content: body };
    const media_type = UPLOAD_TYPES.find((type) => file.type.toLowerCase().startsWith(type)) ?? 'application/jsonl';
    const id = randomUUID();
    const hash = createHash('sha256').update(`${media_type}\n`);
    let parts = 0;
    for await (const text of textParts(file.content, (bytes) => hash.update(bytes))) {
      const input = { upload_id: id, part: parts++, text };
      await this.bus.forward(endpoint, input, { ...caller, deadline: Date.now() + CALL_MS });
    }
    return new StoredUpload({ id, parts, media_type: media_type as UploadType, sha256: hash.digest('hex') });
  }
}

const typeOf = ({ headers }: FastifyRequest): string => headers['content-type'] ?? '';

/** The text of a file in parts; a character is never divided. */
async function* textParts(content: Readable, received: (bytes: Buffer) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let text = '';
  for await (const chunk of chunksOf(content)) {
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

/** The bytes of a file; 400 when they end early. */
async function* chunksOf(content: Readable): AsyncGenerator<Buffer> {
  // Leaving the loop must not destroy the request: its connection still carries the response.
  const chunks = content.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  for (;;) {
    const next = await chunks.next().catch((error: unknown) => {
      throw error instanceof ApiError ? error : new ApiError('invalid', 'the body is not complete');
    });
    if (next.done) return;
    yield next.value;
  }
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
