import { ApiError, type ErrorKind } from '@signalbox/contracts';

const KINDS: Record<number, [ErrorKind, string]> = {
  400: ['invalid', 'the request is not valid'],
  413: ['too_large', 'the body is too large'],
  414: ['invalid', 'the path is too long'],
  415: ['unsupported_media', 'the body must be application/json'],
};

/** An error of Fastify with our own message; an ApiError stays unchanged. */
export function ofFastify(error: Error & { statusCode?: number }): Error {
  if (error instanceof ApiError) return error;
  const known = KINDS[error.statusCode ?? 500];
  return known ? new ApiError(...known) : error;
}
