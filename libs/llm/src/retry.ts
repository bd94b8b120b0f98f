import { ProviderError } from './provider.js';
import { failed, timeoutError } from './failures.js';

/** When and how often a failed try is repeated. */
export interface RetryPolicy {
  /** Further tries after the first. */
  maxRetries: number;
  baseMs: number;
  capMs: number;
  /** Longest wait a `Retry-After` can ask for. */
  retryAfterCapMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { maxRetries: 2, baseMs: 200, capMs: 20_000, retryAfterCapMs: 60_000 };

/** Whether another try may help: 408, 429, 5xx and network errors, nothing else. */
export function isRetryable(error: unknown): error is ProviderError {
  if (!(error instanceof ProviderError)) return false;
  if (error.status !== undefined) return error.status === 408 || error.status === 429 || error.status >= 500;
  return error.code === 'network';
}

/** How long to wait before a repetition: what the provider asked for, else full jitter. */
export function delayBefore(retry: number, error: ProviderError, policy: RetryPolicy): number {
  if (error.retryAfterSeconds !== undefined) return Math.min(error.retryAfterSeconds * 1_000, policy.retryAfterCapMs);
  return Math.random() * Math.min(policy.capMs, policy.baseMs * 2 ** retry);
}

const RETRIES_PER_CALL = 0.2;
const RESERVE = 10;
const REFILL_PER_SECOND = 0.1;

/** Keeps repetitions under 20 % of the calls to one model, so that retries never become the outage. */
export class RetryBudget {
  #tokens = RESERVE;
  #refilledAt = Date.now();

  /** Notes a first try. */
  earn(): void {
    this.#add(RETRIES_PER_CALL);
  }

  /** Takes one repetition if there is one left. */
  spend(): boolean {
    // A trickle over time lets quiet hosts recover their reserve.
    const now = Date.now();
    this.#add(((now - this.#refilledAt) / 1_000) * REFILL_PER_SECOND);
    this.#refilledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  #add(tokens: number): void {
    this.#tokens = Math.min(RESERVE, this.#tokens + tokens);
  }
}

/** Waits for the next try, or fails as soon as nobody waits for its answer any more. */
export async function waited(ms: number, signal: AbortSignal): Promise<void> {
  if (!signal.aborted) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(done, ms);
      signal.addEventListener('abort', done, { once: true });
      function done(): void {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        resolve();
      }
    });
  }
  if (signal.aborted)
    throw signal.reason?.name === 'TimeoutError' ? timeoutError() : failed('cancelled', 'the call was cancelled');
}
