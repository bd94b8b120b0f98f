import type { PushStream } from '@signalbox/platform';
import type { ChatChunk, ChatCompletion, ChatRequest } from './chat.js';

/** `timeoutMs` covers all attempts together. */
export interface CallContext {
  signal: AbortSignal;
  timeoutMs: number;
}

export interface ChatProvider {
  /** `written` is the JSON of the request without its model, when the caller already has it. */
  complete(request: ChatRequest, context: CallContext, written?: string): Promise<ChatCompletion>;
  /**
   * Resolves when the response has begun; a call is retried only before that. `written` is the JSON of the request
   * without its model and its `stream_options`.
   */
  stream(request: ChatRequest, context: CallContext, written?: string): Promise<PushStream<ChatChunk>>;
  models(context: CallContext): Promise<string[]>;
}

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

export interface ProviderFailure {
  failureClass: 'provider' | 'timeout';
  code: ProviderErrorCode;
  message: string;
  status?: number;
  retryAfterSeconds?: number;
}

const MAX_MESSAGE_BYTES = 2_048;

/** The message is at most 2 KB and free of the provider's key. */
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
  // Drops a character that was cut in two.
  return bytes
    .subarray(0, MAX_MESSAGE_BYTES)
    .toString('utf8')
    .replace(/\ufffd$/, '');
}
