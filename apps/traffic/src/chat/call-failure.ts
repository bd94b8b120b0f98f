import { ApiError, type FailureClass, toApiError } from '@signalbox/contracts';
import { ProviderError, SchemaTooLarge, SchemaUnresolvable } from '@signalbox/llm';

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

function providerFailed({ failureClass, code, message, retryAfterSeconds }: ProviderError): ApiError {
  const retry = retryAfterSeconds === undefined ? {} : { retryAfter: Math.ceil(retryAfterSeconds) };
  if (failureClass === 'timeout') return new ApiError('timeout', message, { code: 'provider_timeout', ...retry });
  const word = code === 'not_configured' ? 'provider_not_configured' : 'provider_failed';
  return new ApiError('bad_upstream', message, { code: word, ...retry });
}
