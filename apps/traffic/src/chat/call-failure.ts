import { ApiError, type FailureClass, toApiError } from '@signalbox/contracts';
import { ProviderError, SchemaTooLarge, SchemaUnresolvable } from '@signalbox/llm';

/** Why a call failed, for its record, and what its caller is told. */
export interface CallFailure {
  failureClass: FailureClass | null;
  message: string;
  error: Error;
}

/** The client has left; that is nobody's failure, so it has no class. */
export function clientDisconnected(): CallFailure {
  const message = 'client_disconnected';
  return { failureClass: null, message, error: new ApiError('timeout', message, { code: message }) };
}

/** What an error of a call means. */
export function failureOf(error: unknown, signal?: AbortSignal): CallFailure {
  if (signal?.aborted) return clientDisconnected();
  if (error instanceof ProviderError) {
    return { failureClass: error.failureClass, message: error.message, error: providerFailed(error) };
  }
  if (error instanceof SchemaTooLarge || error instanceof SchemaUnresolvable) {
    return { failureClass: 'provider', message: error.message, error: new ApiError('refused', error.message) };
  }
  // Anything unforeseen keeps its own text for the log of this process, not for the record.
  return { failureClass: 'internal', message: toApiError(error).message, error: error as Error };
}

function providerFailed({ failureClass, code, message, retryAfterSeconds }: ProviderError): ApiError {
  const retry = retryAfterSeconds === undefined ? {} : { retryAfter: Math.ceil(retryAfterSeconds) };
  if (failureClass === 'timeout') return new ApiError('timeout', message, { code: 'provider_timeout', ...retry });
  const word = code === 'not_configured' ? 'provider_not_configured' : 'provider_failed';
  return new ApiError('bad_upstream', message, { code: word, ...retry });
}
