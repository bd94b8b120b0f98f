import type { CallFallback } from '@signalbox/contracts';

export type Attempt<T> = (signal: AbortSignal) => Promise<T>;

/** `reason` is null when the first attempt produced the answer. */
export interface FirstAnswer<T> {
  value: T;
  reason: FallbackReason | null;
  /** The failure of the first attempt, when the answer replaces it. */
  failed?: unknown;
  /** To be called when the answer has ended or is no longer read. */
  over(): void;
}

type AttemptResult<T> = Omit<FirstAnswer<T>, 'failed' | 'over'>;

export type FallbackReason = 'provider_failed' | 'provider_timeout' | 'first_response';

/** The kind of failure after which the second attempt is made; null for none. */
export type Judge = (error: unknown) => 'provider' | 'timeout' | null;

export interface FallbackAttempt<T> {
  attempt: Attempt<T>;
  plan: Pick<CallFallback, 'strategy' | 'timeout_ms'>;
  judge: Judge;
}

/**
 * The answer of the first attempt or, by the strategy, of the second: after the first failed (`reactive`), when it
 * failed or is slow (`timeout`), or whichever is faster (`first_response`). The losing attempt is aborted. When both
 * fail, the failure of the first is thrown.
 */
export async function firstAnswer<T>(
  first: Attempt<T>,
  fallbackAttempt: FallbackAttempt<T> | null,
  signal: AbortSignal,
): Promise<FirstAnswer<T>> {
  if (!fallbackAttempt) return { value: await first(signal), reason: null, over: () => undefined };
  return new Race(first, fallbackAttempt, signal).run();
}

class Race<T> {
  private readonly stops = [new AbortController(), new AbortController()] as const;
  private timer: NodeJS.Timeout | undefined;
  private second: Promise<AttemptResult<T>> | undefined;
  private failed: unknown;

  constructor(
    private readonly first: Attempt<T>,
    private readonly fallbackAttempt: FallbackAttempt<T>,
    private readonly signal: AbortSignal,
  ) {}

  async run(): Promise<FirstAnswer<T>> {
    const { strategy, timeout_ms } = this.fallbackAttempt.plan;
    // Not `AbortSignal.any`: the caller's signal outlives many calls and would keep references to the derived signals.
    this.signal.addEventListener('abort', this.onAbort, { once: true });
    if (this.signal.aborted) this.onAbort();
    const racing = new Promise<AttemptResult<T>>((resolve, reject) => {
      if (strategy === 'first_response') this.start('first_response').then(resolve, () => undefined);
      if (strategy === 'timeout')
        this.timer = setTimeout(() => {
          this.start('provider_timeout').then(resolve, () => undefined);
        }, timeout_ms);
      this.attempt(this.first, 0).then(
        (value) => resolve({ value, reason: null }),
        (error: unknown) => this.afterFailure(error).then(resolve, reject),
      );
    });
    try {
      const won = await racing;
      this.stops[won.reason === null ? 1 : 0].abort();
      return { ...won, failed: this.failed, over: () => this.over() };
    } catch (error) {
      this.over();
      throw error;
    } finally {
      clearTimeout(this.timer);
    }
  }

  private async afterFailure(error: unknown): Promise<AttemptResult<T>> {
    const failed = this.fallbackAttempt.judge(error);
    if (failed === null || this.signal.aborted) {
      this.stops[1].abort();
      throw error;
    }
    clearTimeout(this.timer);
    this.failed = error;
    try {
      return await this.start(failed === 'timeout' ? 'provider_timeout' : 'provider_failed');
    } catch {
      throw error;
    }
  }

  private start(reason: FallbackReason): Promise<AttemptResult<T>> {
    this.second ??= this.attempt(this.fallbackAttempt.attempt, 1).then((value) => ({ value, reason }));
    return this.second;
  }

  private attempt(attempt: Attempt<T>, which: 0 | 1): Promise<T> {
    return attempt(this.stops[which].signal);
  }

  private over(): void {
    this.signal.removeEventListener('abort', this.onAbort);
  }

  private readonly onAbort = (): void => this.stops.forEach((stop) => stop.abort(this.signal.reason));
}
