import { HttpException } from '@nestjs/common';
import { ApiError, type ErrorKind, missingCompany } from '@signalbox/contracts';

const KINDS: Record<number, [kind: ErrorKind, message: string]> = {
  400: ['invalid', 'the request is not valid'],
  403: ['missing_scope', 'the call is not allowed'],
  404: ['not_found', 'not found'],
  405: ['method_not_allowed', 'the method is not served here'],
  409: ['conflict', 'the call conflicts with the state of the resource'],
  413: ['too_large', 'the body is too large'],
  414: ['invalid', 'the path is too long'],
  415: ['unsupported_media', 'the body must be application/json'],
  429: ['rate_limited', 'too many requests'],
  503: ['unavailable', 'the service is unavailable'],
};

/** Gives an error of Nest or Fastify our own message. */
export function ofFramework(error: unknown): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error;
  const status = error instanceof HttpException ? error.getStatus() : (error as { statusCode?: number }).statusCode;
  if (status === 401) return missingCompany();
  const known = KINDS[status ?? 500];
  return known ? new ApiError(...known) : error;
}
