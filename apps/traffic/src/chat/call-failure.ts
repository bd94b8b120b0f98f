import { ApiError, type ErrorExtras, type FailureClass, toApiError } from '@signalbox/contracts';
import { ProviderError, SchemaTooLarge, SchemaUnresolvable } from '@signalbox/llm';
import { FailedAnswer } from './backends/failed-answer.js';

export interface CallFailure {
  failureClass: FailureClass | null;
  message: string;
  error: Error;
  /** The answer broke off: a caller that supports restarts may repeat the call. */
  isInterrupted?: boolean;
}

export function clientDisconnected(): CallFailure {
  const message = 'client_disconnected';
  return { failureClass: null, message, error: new ApiError('timeout', message, { code: message }) };
}

export function failureOf(error: unknown, signal?: AbortSignal): CallFailure {
  if (signal?.aborted) return clientDisconnected();
  if (error instanceof ProviderError) {
    const { failureClass, message, code } = error;
    return { failureClass, message, error: providerFailed(error), isInterrupted: code === 'stream_interrupted' };
  }
  if (error instanceof SchemaTooLarge || error instanceof SchemaUnresolvable) {
    return { failureClass: 'provider', message: error.message, error: new ApiError('refused', error.message) };
  }
  // A failure of the agent or workflow behind the call.
  if (error instanceof ApiError && error.extras.failureClass)
    return { failureClass: error.extras.failureClass, message: error.message, error };
  // The message of an unexpected error is logged by this process and kept out of the record.
  return { failureClass: 'internal', message: toApiError(error).message, error: error as Error };
}

function providerFailed(failed: ProviderError): ApiError {
  const { failureClass, code, message } = failed;
  const extras = extrasOf(failed);
  if (failureClass === 'timeout') return new ApiError('timeout', message, { code: 'provider_timeout', ...extras });
  const word = code === 'not_configured' ? 'provider_not_configured' : 'provider_failed';
  return new ApiError('bad_upstream', message, { code: word, ...extras });
}

const extrasOf = (failed: ProviderError): ErrorExtras => ({
  ...(failed.retryAfterSeconds === undefined ? {} : { retryAfter: Math.ceil(failed.retryAfterSeconds) }),
  ...(failed instanceof FailedAnswer && failed.usage ? { usage: failed.usage } : {}),
});
