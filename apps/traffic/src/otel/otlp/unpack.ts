import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ApiError } from '@signalbox/contracts';

/** The largest body of an export without its compression, in bytes. */
const MAX_UNPACKED_BYTES = 16 * 1_048_576;

/** The shortest body: a header that begins with the two bytes, and a trailer of a checksum and the length. */
const MIN_BYTES = 18;
const MAGIC = 0x1f8b;

const unzip = promisify(gunzip);

/**
 * The bytes of a body without its compression, by what its last four bytes say; `unpack` allows no more. Throws 413 when
 * they are too many, and 400 when it is no gzip.
 */
export function unpackedBytes(body: Buffer, gzip: boolean): number {
  if (!gzip) return body.length;
  if (body.length < MIN_BYTES || body.readUInt16BE() !== MAGIC) throw notGzip();
  const bytes = body.readUInt32LE(body.length - 4);
  if (bytes > MAX_UNPACKED_BYTES) throw new ApiError('too_large', 'the unpacked body is larger than 16 MiB');
  return bytes;
}

/** The body of an export without its compression; throws as `unpackedBytes` does. */
export async function unpack(body: Buffer, gzip: boolean): Promise<Buffer> {
  const bytes = unpackedBytes(body, gzip);
  if (!gzip) return body;
  // More than the last bytes say is as invalid as less.
  return unzip(body, { maxOutputLength: Math.max(1, bytes) }).catch(() => {
    throw notGzip();
  });
}

const notGzip = (): ApiError => new ApiError('invalid', 'the body is not valid gzip');
