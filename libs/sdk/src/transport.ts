import { apiKeyOf, baseUrlOf } from './environment.js';
import { ApiError, apiError, ConnectionError, SignalboxError, TimeoutError } from './errors.js';
import type { PreparedCall } from './operation.js';
import type { ClientOptions } from './options.js';

const DEFAULT_TIMEOUT_MS = 150_000;
const DEFAULT_RETRIES = 2;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** A platform that asks for more patience gets none. */
const LONGEST_RETRY_AFTER_MS = 60_000;
const MAY_PASS = [408, 429, 503, 504];

/** A reply whose status is 2xx, with the timer that still limits reading its body. */
export interface OpenReply {
  response: Response;
  /** Aborted when the caller aborts or the time is over. */
  signal: AbortSignal;
  /** Stops the timer; called once the body is read, or for a stream at once. */
  release(): void;
}

/** The wait that a reply asks for in milliseconds, null when it asks for none. */
function retryAfterMs(headers: Headers): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = Number(value);
  return Number.isFinite(seconds) ? seconds * 1000 : Math.max(0, Date.parse(value) - Date.now());
}

/** Resolves after a time, rejects when the signal is aborted before. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Grows from try to try; at random, so that clients that failed together do not return together. */
export const backoffMs = (attempt: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + Math.random() / 2);

/** Sends calls, again when that is safe and may help. */
export class Transport {
  readonly baseUrl: string;
  private readonly apiKey: string;
  private readonly fetch: typeof globalThis.fetch;
  /** What ends the calls and streams that are open. */
  private readonly running = new Set<AbortController>();
  private isClosed = false;

  constructor(private readonly options: ClientOptions) {
    this.baseUrl = baseUrlOf(options);
    this.apiKey = apiKeyOf(options);
    // The global one must be called without a receiver other than the global object.
    this.fetch = options.fetch ?? ((...call) => globalThis.fetch(...call));
  }

  /** Sends a call until it has a reply with a status of 2xx; throws a SignalboxError otherwise. */
  async open(call: PreparedCall): Promise<OpenReply> {
    const startedAt = Date.now();
    for (let attempt = 0; ;) {
      const failure = await this.attempt(call);
      if ('response' in failure) return failure;
      await pause(this.pauseBefore(attempt, failure.error, call, startedAt), this.signalOf(call));
      // Waiting for the first try of the call uses up no retry.
      if (!isRunning(failure.error)) attempt++;
    }
  }

  /** Lets `close` abort a call or stream; what is returned ends that. */
  track(controller: AbortController): () => void {
    this.running.add(controller);
    return () => void this.running.delete(controller);
  }

  /** Ends every call and stream that is open; later calls are errors. */
  close(): void {
    this.isClosed = true;
    for (const controller of this.running) controller.abort(closed());
  }

  /** How long a call may take in milliseconds. */
  timeoutOf(call: PreparedCall): number {
    return call.options.timeoutMs ?? this.options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  /** Aborted when the caller ends this call or all calls of the client. */
  signalOf({ options }: PreparedCall): AbortSignal | undefined {
    const signals = [options.signal, this.options.signal].filter((signal) => signal !== undefined);
    return signals.length > 1 ? AbortSignal.any(signals) : signals[0];
  }

  /** Milliseconds until the next try; throws the error when there is none. */
  private pauseBefore(attempt: number, error: Error, call: PreparedCall, startedAt: number): number {
    if (this.signalOf(call)?.aborted === true || !isRepeatable(call)) throw error;
    if (!(error instanceof ApiError)) {
      if (error instanceof ConnectionError && attempt < this.retriesOf(call) && call.method !== 'DELETE')
        return backoffMs(attempt);
      throw error;
    }
    const asked = retryAfterMs(error.headers);
    if (isRunning(error) && Date.now() - startedAt < this.timeoutOf(call)) return asked ?? 0;
    if (attempt >= this.retriesOf(call) || !mayPass(error, call) || (asked ?? 0) > LONGEST_RETRY_AFTER_MS) throw error;
    return asked ?? backoffMs(attempt);
  }

  private retriesOf(call: PreparedCall): number {
    return call.options.maxRetries ?? this.options.maxRetries ?? DEFAULT_RETRIES;
  }

  private async attempt(call: PreparedCall): Promise<OpenReply | { error: Error }> {
    if (this.isClosed) throw closed();
    const timeoutMs = this.timeoutOf(call);
    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(new TimeoutError(`no reply within ${timeoutMs} ms`)), timeoutMs);
    const forget = this.track(timer);
    const release = (): void => {
      clearTimeout(timeout);
      forget();
    };
    const callers = this.signalOf(call);
    const signal = callers ? AbortSignal.any([callers, timer.signal]) : timer.signal;
    try {
      const response = await this.fetch(`${this.baseUrl}${call.url}`, this.request(call, signal));
      if (response.ok) return { response, signal, release };
      const text = await response.text();
      release();
      if (isRedirect(response)) return { error: redirected(response) };
      return { error: apiError(response.status, text, response.headers) };
    } catch (error) {
      release();
      if (callers?.aborted === true || this.isClosed) throw error;
      return { error: connectionError(error, timer.signal) };
    }
  }

  private request({ method, headers, body, options }: PreparedCall, signal: AbortSignal): RequestInit {
    return {
      method,
      signal,
      // The key would be sent to wherever the reply says.
      redirect: 'manual',
      headers: {
        'x-service-api-key': this.apiKey,
        ...headers,
        ...this.options.headers,
        ...options.headers,
      },
      ...(body === undefined ? {} : { body: body as RequestInit['body'] }),
      // A body of unknown length can only be sent while it is made.
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    };
  }
}

const closed = (): SignalboxError => new SignalboxError('the client is closed');

/** What reading or opening a reply failed with, as an error of this client. */
export function connectionError(error: unknown, timer: AbortSignal): ConnectionError {
  if (timer.aborted && timer.reason instanceof TimeoutError) return timer.reason;
  if (error instanceof ConnectionError) return error;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new ConnectionError(`the platform cannot be reached: ${reason}`, { cause: error });
}

/** Browsers hide the status of a redirect. */
const isRedirect = ({ type, status }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400);

function redirected({ headers }: Response): SignalboxError {
  const target = headers.get('location');
  return new SignalboxError(
    `the platform redirects${target === null ? '' : ` to ${target}`}: set that address as baseUrl`,
  );
}

/** A body that is read while it is sent exists once. */
const isRepeatable = ({ body }: PreparedCall): boolean => !(body instanceof ReadableStream);

/** Whether an earlier try of the call still runs on the platform: its reply is worth waiting for. */
const isRunning = (error: Error): boolean =>
  error instanceof ApiError && error.status === 409 && error.headers.has('retry-after');

/**
 * A proxy returns 502 while it has no server, or when it has lost the one that it had sent the call to: a lost connection.
 * The 502 of a provider that failed comes from the platform, which names each call.
 */
const isLost = ({ status, requestId }: ApiError, { method }: PreparedCall): boolean =>
  status === 502 && (method === 'GET' || requestId === null);

/** A refusal of an open stream that may pass. */
export const isTransient = (error: unknown, call: PreparedCall): boolean =>
  error instanceof ApiError && (MAY_PASS.includes(error.status) || isLost(error, call));

/** A stored reply that is replayed would be replayed again; a DELETE that had its effect would be a 404. */
function mayPass(error: ApiError, call: PreparedCall): boolean {
  if (error.headers.get('idempotent-replayed') === 'true') return false;
  if (call.method === 'DELETE') return error.status === 429;
  return MAY_PASS.includes(error.status) || isLost(error, call);
}
