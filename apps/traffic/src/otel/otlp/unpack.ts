import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ApiError } from '@signalbox/contracts';

/** Without compression. */
const MAX_UNPACKED_BYTES = 16 * 1_048_576;

/** A gzip header of 10 bytes, and a trailer of a checksum and the length. */
const MIN_BYTES = 18;
const MAGIC = 0x1f8b;

const unzip = promisify(gunzip);

const tooLarge = (): ApiError => new ApiError('too_large', 'the unpacked body is larger than 16 MiB');

/**
 * Possible sizes without compression, to be tried in order: the length in the last four bytes, then the maximum,
 * because with several gzip members it is the length of the last one alone. Throws 413 when it is too large, and 400 for
 * no gzip.
 */
export function unpackedBytes(body: Buffer, gzip: boolean): number[] {
  if (!gzip) return [body.length];
  if (body.length < MIN_BYTES || body.readUInt16BE() !== MAGIC) throw notGzip();
  const bytes = body.readUInt32LE(body.length - 4);
  if (bytes > MAX_UNPACKED_BYTES) throw tooLarge();
  return [Math.max(1, bytes), MAX_UNPACKED_BYTES];
}

/** Null when the unpacked body has more than `maxBytes`. Throws 413 and 400 as `unpackedBytes`. */
export async function unpack(body: Buffer, gzip: boolean, maxBytes: number): Promise<Buffer | null> {
  if (!gzip) return body;
  try {
    return await unzip(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE') throw notGzip();
    if (maxBytes === MAX_UNPACKED_BYTES) throw tooLarge();
    return null;
  }
}

const notGzip = (): ApiError => new ApiError('invalid', 'the body is not valid gzip');
