import { EgressFailed, EgressTimeout } from './errors.js';

/** The clocks of one call: its total time, the silence between two chunks, and the caller who may go away. */
export class Lifetime {
  readonly #controller = new AbortController();
  readonly #total: NodeJS.Timeout;
  #idle: NodeJS.Timeout | undefined;

  constructor(
    timeoutMs: number,
    private readonly idleMs: number,
    private readonly caller: AbortSignal | undefined,
  ) {
    this.#total = setTimeout(() => this.#controller.abort(new EgressTimeout('total')), timeoutMs);
    if (caller?.aborted) this.#callerLeft();
    caller?.addEventListener('abort', this.#callerLeft, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Called whenever something arrived. */
  touch(): void {
    if (this.#idle) this.#idle.refresh();
    else this.#idle = setTimeout(() => this.#controller.abort(new EgressTimeout('idle')), this.idleMs);
  }

  end(): void {
    clearTimeout(this.#total);
    clearTimeout(this.#idle);
    this.caller?.removeEventListener('abort', this.#callerLeft);
  }

  /** The reader wants no more. */
  abandon(): void {
    this.#callerLeft();
    this.end();
  }

  /** What to tell the caller: the clock that struck, if one did, else what the network said. */
  causeOf(error: unknown): unknown {
    return this.signal.aborted ? this.signal.reason : error;
  }

  readonly #callerLeft = (): void => {
    this.#controller.abort(new EgressFailed('aborted', 'the caller ended the call'));
  };
}
