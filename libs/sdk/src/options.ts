export interface ClientOptions {
  /** An API key, `svk_…`; default `SIGNALBOX_API_KEY` of the environment of the process. */
  apiKey?: string;
  /** Ends in `/api/v1`; default `SIGNALBOX_URL` of the environment, else `http://127.0.0.1:3000/api/v1`. */
  baseUrl?: string;
  /** How often a call is sent again after a temporary failure; default 2. */
  maxRetries?: number;
  /** Milliseconds; default 150,000, because the platform waits up to 120 s for an agent. */
  timeoutMs?: number;
  /** Aborts every call of the client. */
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

/** Overrides options of the client for one call. */
export interface CallOptions {
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
  /** Of a POST; default a new UUID, so that a repeated call takes effect once. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
}

export interface StreamOptions extends CallOptions {
  /** The `seq` (or event id) after which the stream starts. */
  lastEventId?: string;
}
