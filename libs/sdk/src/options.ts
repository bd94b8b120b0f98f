/** How a client reaches the platform. */
export interface ClientOptions {
  /** An API key, `svk_…`; default `SIGNALBOX_API_KEY` of the environment of the process. */
  apiKey?: string;
  /** Ends in `/api/v1`; default `SIGNALBOX_URL` of the environment, else `http://127.0.0.1:3000/api/v1`. */
  baseUrl?: string;
  /** How often a call is sent again after a failure that may pass; default 2. */
  maxRetries?: number;
  /** How long a call may take in milliseconds; default 150,000, because the platform waits up to 120 s for an agent. */
  timeoutMs?: number;
  /** Ends every call of the client when it is aborted. */
  signal?: AbortSignal;
  /** Headers of every call. */
  headers?: Record<string, string>;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

/** What one call overrides. */
export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
  /** Of a POST; default a new UUID, so that a call that is sent again takes effect once. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
}

/** Options of a call that opens a stream. */
export interface StreamOptions extends CallOptions {
  /** The `seq` (or event id) after which the stream starts. */
  lastEventId?: string;
}
