import { ApiError } from '@signalbox/contracts';
import { ProviderError } from '@signalbox/llm';

/** Failures that no later attempt repairs. */
const FINAL = ['egress_denied', 'invalid_request', 'not_configured', 'unauthorized'];

/** The error of a failed call of a provider: `refused` for good, or one that may pass. */
export function finetuneFailure(error: unknown): unknown {
  if (!(error instanceof ProviderError)) return error;
  const { failureClass, code, message, retryAfterSeconds } = error;
  if (FINAL.includes(code)) return new ApiError('refused', message);
  const retry = retryAfterSeconds === undefined ? {} : { retryAfter: Math.ceil(retryAfterSeconds) };
  return new ApiError(failureClass === 'timeout' ? 'timeout' : 'bad_upstream', message, retry);
}
