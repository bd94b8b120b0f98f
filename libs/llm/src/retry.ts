import { ProviderError } from './provider.js';
import { failed, timeoutError } from './failures.js';

export interface RetryPolicy {
  maxRetries: number;
  baseMs: number;
  capMs: number;
  /** Upper bound of the delay that `Retry-After` can request. */
  retryAfterCapMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = { maxRetries: 2, baseMs: 200, capMs: 20_000, retryAfterCapMs: 60_000 };

export function isRetryable(error: unknown): error is ProviderError {
  if (!(error instanceof ProviderError)) return false;
  if (error.status !== undefined) return error.status === 408 || error.status === 429 || error.status >= 500;
  return error.code === 'network';
}

/** What the provider requested, else full jitter. */
export function delayBefore(retry: number, error: ProviderError, policy: RetryPolicy): number {
  if (error.retryAfterSeconds !== undefined) return Math.min(error.retryAfterSeconds * 1_000, policy.retryAfterCapMs);
  return Math.random() * Math.min(policy.capMs, policy.baseMs * 2 ** retry);
}

const RETRIES_PER_CALL = 0.2;
const RESERVE = 10;
const REFILL_PER_SECOND = 0.1;

/** Limits retries to 20 % of the calls to one model, so that retries never cause an outage. */
export class RetryBudget {
  #tokens = RESERVE;
  #refilledAt = Date.now();

  earn(): void {
    this.#add(RETRIES_PER_CALL);
  }

  spend(): boolean {
    // A slow refill over time restores the reserve of rarely used models.
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
