import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ApiError } from '@signalbox/contracts';

/** The largest body of an export without its compression, in bytes. */
export const MAX_UNPACKED_BYTES = 16 * 1_048_576;

const unzip = promisify(gunzip);

/** The body of an export without its compression. Throws 413 when it is too large, and 400 when it is no gzip. */
export async function unpack(body: Buffer, gzip: boolean): Promise<Buffer> {
  if (!gzip) return body;
  try {
    return await unzip(body, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new ApiError('too_large', 'the unpacked body is larger than 16 MiB');
    throw new ApiError('invalid', 'the body is not valid gzip');
  }
}
