import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ApiError } from '@signalbox/contracts';

/** The largest body of an export without its compression, in bytes. */
const MAX_UNPACKED_BYTES = 16 * 1_048_576;

/** The shortest body: a header that begins with the two bytes, and a trailer of a checksum and the length. */
const MIN_BYTES = 18;
const MAGIC = 0x1f8b;

const unzip = promisify(gunzip);

const tooLarge = (): ApiError => new ApiError('too_large', 'the unpacked body is larger than 16 MiB');

/**
 * The bytes that a body may take without its compression: what its last four bytes say, then the most that there may be,
 * for of several members they tell the last one alone. Throws 413 when they say too many, and 400 when it is no gzip.
 */
export function unpackedBytes(body: Buffer, gzip: boolean): number[] {
  if (!gzip) return [body.length];
  if (body.length < MIN_BYTES || body.readUInt16BE() !== MAGIC) throw notGzip();
  const bytes = body.readUInt32LE(body.length - 4);
  if (bytes > MAX_UNPACKED_BYTES) throw tooLarge();
  return [Math.max(1, bytes), MAX_UNPACKED_BYTES];
}

/** The body of an export without its compression; null when it has more bytes. Throws 413 and 400 as `unpackedBytes`. */
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
