import { apiKeyOf, baseUrlOf } from './environment.js';
import { ApiError, apiError, ConnectionError, SignalboxError, TimeoutError } from './errors.js';
import type { PreparedCall } from './operation.js';
import type { ClientOptions } from './options.js';

const DEFAULT_TIMEOUT_MS = 150_000;
const DEFAULT_RETRIES = 2;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** A longer requested wait is not waited for. */
const LONGEST_RETRY_AFTER_MS = 60_000;
const MAY_PASS = [408, 429, 503, 504];

/** With status 2xx and the timer that still limits reading its body. */
export interface OpenReply {
  response: Response;
  /** Aborts when the caller aborts or the time is over. */
  signal: AbortSignal;
  /** Stops the timer: once the body is read, or for a stream at once. */
  release(): void;
}

/** Null when the reply asks for none. */
function retryAfterMs(headers: Headers): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = Number(value);
  const pauseMs = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(pauseMs) ? null : Math.max(0, pauseMs);
}

/** Rejects when the signal aborts. */
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

/** Random, so that clients that failed together do not return together. */
export const backoffMs = (attempt: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + Math.random() / 2);

/** Repeats calls when that is safe and may help. */
export class Transport {
  readonly baseUrl: string;
  private readonly apiKey: string;
  private readonly fetch: typeof globalThis.fetch;
  /** Of open calls and streams. */
  private readonly running = new Set<AbortController>();
  private isClosed = false;

  constructor(private readonly options: ClientOptions) {
    this.baseUrl = baseUrlOf(options);
    this.apiKey = apiKeyOf(options);
    // The global one must be called without another receiver.
    this.fetch = options.fetch ?? ((...call) => globalThis.fetch(...call));
  }

  /** Throws a SignalboxError unless a reply has status 2xx. */
  open(call: PreparedCall): Promise<OpenReply> {
    return this.send(call, (reply) => reply);
  }

  /** Reads the reply within the attempt: one that breaks off is a lost connection. */
  async send<T>(call: PreparedCall, read: (reply: OpenReply) => T | Promise<T>): Promise<T> {
    const startedAt = Date.now();
    let lost: Error | undefined;
    for (let attempt = 0; ;) {
      const outcome = await this.attempt(call, read);
      if ('value' in outcome) return outcome.value;
      const { error } = outcome;
      if (!isRunning(error)) lost ??= error;
      const pauseMs = this.pauseBefore(attempt, error, call, startedAt);
      // That an earlier attempt still runs does not say how that one failed.
      if (pauseMs === null) throw isRunning(error) ? (lost ?? error) : error;
      await this.pauseFor(pauseMs, call);
      // Waiting for the first attempt of the call uses up no retry.
      if (!isRunning(error)) attempt++;
    }
  }

  /** Lets `close` abort a call or stream; returns what ends that. */
  track(controller: AbortController): () => void {
    this.running.add(controller);
    return () => void this.running.delete(controller);
  }

  /** Later calls are errors. */
  close(): void {
    this.isClosed = true;
    for (const controller of this.running) controller.abort(closed());
  }

  timeoutOf(call: PreparedCall): number {
    return call.options.timeoutMs ?? this.options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  }

  /** Aborts when the caller ends this call or all calls of the client. */
  signalOf({ options }: PreparedCall): AbortSignal | undefined {
    const signals = [options.signal, this.options.signal].filter((signal) => signal !== undefined);
    return signals.length > 1 ? AbortSignal.any(signals) : signals[0];
  }

  /** Ends early, with the reason, when the caller ends the call or the client is closed. */
  private async pauseFor(ms: number, call: PreparedCall): Promise<void> {
    if (this.isClosed) throw closed();
    const closing = new AbortController();
    const forget = this.track(closing);
    const callers = this.signalOf(call);
    try {
      await pause(ms, callers ? AbortSignal.any([callers, closing.signal]) : closing.signal);
    } finally {
      forget();
    }
  }

  /** Milliseconds, null when the call is not repeated. */
  private pauseBefore(attempt: number, error: Error, call: PreparedCall, startedAt: number): number | null {
    if (this.signalOf(call)?.aborted === true || !isRepeatable(call)) return null;
    if (!(error instanceof ApiError)) {
      if (error instanceof ConnectionError && attempt < this.retriesOf(call) && call.method !== 'DELETE')
        return backoffMs(attempt);
      return null;
    }
    const asked = retryAfterMs(error.headers);
    if (isRunning(error) && Date.now() - startedAt < this.timeoutOf(call)) return Math.max(asked ?? 0, FIRST_PAUSE_MS);
    if (attempt >= this.retriesOf(call) || !mayPass(error, call) || (asked ?? 0) > LONGEST_RETRY_AFTER_MS) return null;
    return asked ?? backoffMs(attempt);
  }

  private retriesOf(call: PreparedCall): number {
    return call.options.maxRetries ?? this.options.maxRetries ?? DEFAULT_RETRIES;
  }

  private async attempt<T>(
    call: PreparedCall,
    read: (reply: OpenReply) => T | Promise<T>,
  ): Promise<{ value: T } | { error: Error }> {
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
      if (response.ok) return { value: await read({ response, signal, release }) };
      const text = await response.text();
      release();
      if (isRedirect(response)) return { error: redirected(response) };
      return { error: apiError(response.status, text, response.headers) };
    } catch (error) {
      release();
      if (callers?.aborted === true || this.isClosed) throw error;
      return { error: error instanceof SignalboxError ? error : connectionError(error, timer.signal) };
    }
  }

  private request({ method, headers, body, options }: PreparedCall, signal: AbortSignal): RequestInit {
    return {
      method,
      signal,
      // The key would be sent to wherever the reply says.
      redirect: 'manual',
      headers: merged({ 'x-service-api-key': this.apiKey }, headers, this.options.headers, options.headers),
      ...(body === undefined ? {} : { body: body as RequestInit['body'] }),
      // A body of unknown length can only be sent while it is made.
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    };
  }
}

/** Of a name in several spellings the last value: fetch would join them, and two idempotency keys are a third. */
const merged = (...sets: (Record<string, string> | undefined)[]): Record<string, string> =>
  Object.fromEntries(
    sets.flatMap((set) => Object.entries(set ?? {})).map(([name, value]) => [name.toLowerCase(), value]),
  );

const closed = (): SignalboxError => new SignalboxError('the client is closed');

/** For a reply that ends early: the reason of who aborted it, else a lost connection. */
export function brokenOff(error: unknown, signal: AbortSignal): Error {
  if (signal.aborted) return signal.reason as Error;
  return error instanceof SignalboxError ? error : connectionError(error, signal);
}

/** For a failure to open or read a reply. */
function connectionError(error: unknown, timer: AbortSignal): ConnectionError {
  if (timer.aborted && timer.reason instanceof TimeoutError) return timer.reason;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return new ConnectionError(`the platform cannot be reached: ${reasonOf(cause)}`, { cause: error });
}

/** Of a name with several addresses, none of which can be reached, Node has one reason each and none of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  return error instanceof Error ? error.message || error.name : String(error);
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

/** A stream can be sent only once. */
const isRepeatable = ({ body }: PreparedCall): boolean => !(body instanceof ReadableStream);

/** An earlier attempt still runs on the platform: its reply is worth waiting for. */
const isRunning = (error: Error): boolean =>
  error instanceof ApiError && error.status === 409 && error.headers.has('retry-after');

/**
 * A proxy returns 502 while it has no server, or when it has lost the one with the call: a lost connection. The 502 of
 * a failed provider comes from the platform, which names each call.
 */
const isLost = ({ status, requestId }: ApiError, { method }: PreparedCall): boolean =>
  status === 502 && (method === 'GET' || requestId === null);

/** For an open stream. */
export const isTransient = (error: unknown, call: PreparedCall): boolean =>
  error instanceof ApiError && (MAY_PASS.includes(error.status) || isLost(error, call));

/** A replayed reply would be replayed again; a DELETE that had its effect would be a 404. */
function mayPass(error: ApiError, call: PreparedCall): boolean {
  if (error.headers.get('idempotent-replayed') === 'true') return false;
  if (call.method === 'DELETE') return error.status === 429;
  return MAY_PASS.includes(error.status) || isLost(error, call);
}
