import { EgressFailed, EgressTimeout, type EgressError } from './errors.js';

/** What is cut off when the time of a call is up. */
export interface Stoppable {
  cut(cause: EgressError): void;
}

/** The clocks of one call: its total time, the silence between two chunks, and the caller who may go away. */
export class Lifetime {
  readonly #total: NodeJS.Timeout;
  #idle: NodeJS.Timeout | undefined;
  #running: Stoppable | undefined;
  #cause: EgressError | undefined;
  #ended = false;

  constructor(
    timeoutMs: number,
    private readonly idleMs: number | undefined,
    private readonly caller: AbortSignal | undefined,
  ) {
    this.#total = setTimeout(() => this.#strike(new EgressTimeout('total')), timeoutMs);
    if (caller?.aborted) this.#callerLeft();
    caller?.addEventListener('abort', this.#callerLeft, { once: true });
  }

  /** From now on this is what ends with the time; at once when it is up already. */
  govern(running: Stoppable): void {
    this.#running = running;
    if (this.#cause) running.cut(this.#cause);
  }

  /** Called whenever something arrived. */
  touch(): void {
    if (this.idleMs === undefined) return;
    if (this.#idle) this.#idle.refresh();
    else this.#idle = setTimeout(() => this.#strike(new EgressTimeout('idle')), this.idleMs);
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
    this.caller?.removeEventListener('abort', this.#callerLeft);
  }

  /** The reader wants no more; nothing happens when all is over already. */
  abandon(): void {
    if (this.#ended) return;
    this.#callerLeft();
    this.end();
  }

  /** What to tell the caller: the clock that struck, if one did, else what the network said. */
  causeOf(error: unknown): unknown {
    return this.#cause ?? error;
  }

  #strike(cause: EgressError): void {
    this.#cause ??= cause;
    this.#running?.cut(this.#cause);
  }

  readonly #callerLeft = (): void => this.#strike(new EgressFailed('aborted', 'the caller ended the call'));
}
