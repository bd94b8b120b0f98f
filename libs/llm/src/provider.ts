import type { PushStream } from '@signalbox/contracts';
import type { ChatChunk, ChatCompletion, ChatRequest } from './chat.js';

/** Who waits for the call and how long: `timeoutMs` covers all tries together. */
export interface CallContext {
  signal: AbortSignal;
  timeoutMs: number;
}

/** Somebody who answers chat requests. */
export interface ChatProvider {
  /** `written` = the JSON of the request without its model, from a caller who has it already. */
  complete(request: ChatRequest, context: CallContext, written?: string): Promise<ChatCompletion>;
  /** Resolves when the provider has begun to answer; only before that a call is repeated. */
  stream(request: ChatRequest, context: CallContext): Promise<PushStream<ChatChunk>>;
  models(context: CallContext): Promise<string[]>;
}

/** What went wrong with a provider, in one word. */
export type ProviderErrorCode =
  | 'cancelled'
  | 'circuit_open'
  | 'egress_denied'
  | 'invalid_request'
  | 'invalid_response'
  | 'network'
  | 'not_configured'
  | 'provider_error'
  | 'rate_limited'
  | 'stream_interrupted'
  | 'timeout'
  | 'unauthorized';

/** The facts of a provider's failure. */
export interface ProviderFailure {
  failureClass: 'provider' | 'timeout';
  code: ProviderErrorCode;
  message: string;
  status?: number;
  retryAfterSeconds?: number;
}

const MAX_MESSAGE_BYTES = 2_048;

/** A provider refused, failed or did not answer; the message is at most 2 KB and free of the provider's key. */
export class ProviderError extends Error {
  readonly kind = 'provider_error';
  override readonly name = 'ProviderError';
  readonly failureClass: 'provider' | 'timeout';
  readonly code: ProviderErrorCode;
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(failure: ProviderFailure) {
    super(shortened(failure.message));
    this.failureClass = failure.failureClass;
    this.code = failure.code;
    this.status = failure.status;
    this.retryAfterSeconds = failure.retryAfterSeconds;
  }
}

function shortened(message: string): string {
  const bytes = Buffer.from(message, 'utf8');
  if (bytes.length <= MAX_MESSAGE_BYTES) return message;
  // A character cut in two at the end is dropped.
  return bytes
    .subarray(0, MAX_MESSAGE_BYTES)
    .toString('utf8')
    .replace(/\ufffd$/, '');
}
