import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../log.js';

export interface RetryContext {
  logger: Pick<Logger, 'info' | 'warn'>;
  /** For the log, such as `the bus`. */
  what: string;
  stopping: AbortSignal;
}

const waiting = new Map<symbol, string>();

/** With the reason of the last attempt; empty when nothing is waited for. */
export const waitsFor = (): string[] => [...waiting.values()];

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5000;

/** Retries at growing intervals of up to 5 s and logs each failure. Rejects only when the process stops. */
export async function retryUntilAvailable<T>(
  attempt: () => Promise<T>,
  { logger, what, stopping }: RetryContext,
): Promise<T> {
  const since = Date.now();
  const wait = Symbol(what);
  for (let delayMs = FIRST_DELAY_MS, failures = 0; ; delayMs = Math.min(delayMs * 2, LONGEST_DELAY_MS), failures++) {
    stopping.throwIfAborted();
    try {
      const result = await attempt();
      waiting.delete(wait);
      if (failures > 0) logger.info({ waited_ms: Date.now() - since }, `${what} is available`);
      return result;
    } catch (error) {
      waiting.set(wait, `${what}: ${error instanceof Error ? error.message : String(error)}`);
      logger.warn({ error, next_attempt_ms: delayMs }, `${what} is not available yet`);
      await delay(delayMs, undefined, { signal: stopping });
    }
  }
}
