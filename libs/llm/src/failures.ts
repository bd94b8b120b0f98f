import { isDeeperThan, MAX_FOREIGN_DEPTH } from '@signalbox/contracts';
import { EgressDenied, EgressFailed, EgressTimeout } from '@signalbox/egress';
import { ProviderError, type ProviderErrorCode } from './provider.js';
import { retryAfterOf } from './retry-after.js';

export interface Refusal {
  status: number;
  headers: Record<string, string>;
}

export function refusalError({ status, headers }: Refusal, body: string): ProviderError {
  return new ProviderError({
    failureClass: status === 408 || status === 504 ? 'timeout' : 'provider',
    code: codeOf(status),
    status,
    message: `the provider answered ${status}: ${messageIn(body)}`,
    retryAfterSeconds: retryAfterOf(headers['retry-after']),
  });
}

export function transportError(error: unknown): unknown {
  if (error instanceof EgressTimeout) return timeoutError();
  if (error instanceof EgressDenied) return failed('egress_denied', `the provider may not be called: ${error.message}`);
  if (!(error instanceof EgressFailed)) return error;
  if (error.reason === 'aborted') return failed('cancelled', 'the call was cancelled');
  const isOwnFault = error.reason === 'missing_secret' || error.reason === 'invalid_request';
  const isUnreadable =
    error.reason === 'too_large' || error.reason === 'encoding' || error.reason === 'headers_too_large';
  return failed(isOwnFault ? 'invalid_request' : isUnreadable ? 'invalid_response' : 'network', error.message);
}

export function failed(code: ProviderErrorCode, message: string): ProviderError {
  return new ProviderError({ failureClass: 'provider', code, message });
}

export function timeoutError(): ProviderError {
  return new ProviderError({
    failureClass: 'timeout',
    code: 'timeout',
    message: 'the provider did not answer in time',
  });
}

/** The message of an OpenAI error body, else the text itself. */
export function messageIn(body: string): string {
  try {
    const { error, message } = JSON.parse(body) as { error?: string | { message?: unknown }; message?: unknown };
    const found = typeof error === 'object' ? error?.message : (error ?? message);
    return typeof found === 'string' && found !== '' ? found : body;
  } catch {
    return body;
  }
}

/** The failure that an answer reports after its status said success; undefined for any other answer. */
export function errorIn(answer: unknown): ProviderError | undefined {
  const { error } = (answer ?? {}) as { error?: unknown };
  if (!error) return undefined;
  return failed('provider_error', `the provider failed while answering: ${messageIn(JSON.stringify(answer))}`);
}

/** JSON from a provider is untrusted. */
export function parsed(text: string): unknown {
  const value = jsonIn(text);
  // A shorter text has too few brackets: most answers, and every usual chunk of a stream.
  if (text.length > 2 * MAX_FOREIGN_DEPTH && isDeeperThan(value, MAX_FOREIGN_DEPTH))
    throw failed('invalid_response', `the provider answered with JSON nested more than ${MAX_FOREIGN_DEPTH} deep`);
  return value;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw failed('invalid_response', 'the provider did not answer with JSON');
  }
}

function codeOf(status: number): ProviderErrorCode {
  if (status === 408 || status === 504) return 'timeout';
  if (status === 429) return 'rate_limited';
  if (status === 401 || status === 403) return 'unauthorized';
  return status >= 500 ? 'provider_error' : 'invalid_request';
}
