import { markFailed, markStatus, type Span } from '@signalbox/platform';
import { EgressFailed, EgressTimeout, type EgressError } from './errors.js';

export interface Stoppable {
  cut(cause: EgressError): void;
}

/** The limits of one call: total time, silence between two chunks, and the abort signal of its caller. */
export class Lifetime {
  #total: NodeJS.Timeout | undefined;
  /** When the total time began to run, and what was left of it then, in ms. */
  #runningSince = 0;
  #left: number;
  #idle: NodeJS.Timeout | undefined;
  #running: Stoppable | undefined;
  #cause: EgressError | undefined;
  #ended = false;
  #isPaused = false;

  constructor(
    timeoutMs: number,
    private readonly idleMs: number | undefined,
    private readonly caller: AbortSignal | undefined,
    readonly span?: Span,
  ) {
    this.#left = timeoutMs;
    this.#startTotal();
    if (caller?.aborted) this.#callerAborted();
    caller?.addEventListener('abort', this.#callerAborted, { once: true });
  }

  /** Cuts the resource off at once when the time is already over. */
  govern(running: Stoppable): void {
    this.#running = running;
    if (this.#cause) running.cut(this.#cause);
  }

  touch(): void {
    if (this.idleMs === undefined || this.#isPaused) return;
    if (this.#idle) this.#idle.refresh();
    else this.#idle = setTimeout(() => this.#strike(new EgressTimeout('idle')), this.idleMs);
  }

  /** Stops both limits of time while the reader of a body waits for something else than the server. */
  pause(): void {
    this.#isPaused = true;
    this.#left -= performance.now() - this.#runningSince;
    this.#stopTimers();
  }

  /** Lets them run on after `pause`. */
  resume(): void {
    this.#isPaused = false;
    if (this.#ended) return;
    this.#startTotal();
    this.touch();
  }

  end(): void {
    if (!this.#ended) this.span?.end();
    this.#ended = true;
    this.#stopTimers();
    this.caller?.removeEventListener('abort', this.#callerAborted);
  }

  /** The reader has stopped; without effect after the end. */
  abandon(): void {
    if (this.#ended) return;
    this.#callerAborted();
    this.end();
  }

  answered(status: number): void {
    if (!this.span?.isRecording()) return;
    this.span.setAttribute('http.response.status_code', status);
    markStatus(this.span, status);
  }

  failed(error: EgressError): void {
    if (this.span && !this.#ended) markFailed(this.span, error);
    this.abandon();
  }

  /** The limit that ended the call, else the network error. */
  causeOf(error: unknown): unknown {
    return this.#cause ?? error;
  }

  #startTotal(): void {
    this.#runningSince = performance.now();
    this.#total = setTimeout(() => this.#strike(new EgressTimeout('total')), this.#left);
  }

  #stopTimers(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
    this.#idle = undefined;
  }

  #strike(cause: EgressError): void {
    this.#cause ??= cause;
    this.#running?.cut(this.#cause);
  }

  readonly #callerAborted = (): void => this.#strike(new EgressFailed('aborted', 'the caller ended the call'));
}
