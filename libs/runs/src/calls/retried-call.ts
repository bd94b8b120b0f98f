import { BACKOFF_MS, serviceCaller } from '@signalbox/bus';
import { ApiError, type Caller, type Chain } from '@signalbox/contracts';

/** Deadline of a call, including the retries of a provider behind it. */
export const CALL_MS = 150_000;
const DOWN_MS = 30_000;
const FIRST_PAUSE_MS = 200;
const MAX_INTERRUPTIONS = 2;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Retried while the called service restarts, and while an earlier attempt is in progress there. `chain` is for calls
 * that may start a task or a run.
 */
export async function retriedCall<T>(
  companyId: number,
  signal: AbortSignal,
  call: (caller: Caller) => Promise<T>,
  chain?: Chain,
): Promise<T> {
  let retryUntil: number | undefined;
  let interruptions = 0;
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, 4000)) {
    signal.throwIfAborted();
    const caller = { ...serviceCaller(companyId, Date.now() + CALL_MS), ...(chain ? { chain } : {}) };
    try {
      return await abortable(call(caller), signal);
    } catch (error) {
      signal.throwIfAborted();
      retryUntil ??= Date.now() + DOWN_MS;
      const isRetried = isDown(error, caller)
        ? Date.now() < retryUntil
        : isUnderWay(error) || (isInterrupted(error) && ++interruptions <= MAX_INTERRUPTIONS);
      if (!isRetried) throw error;
      await pause(wait * (0.5 + Math.random() / 2), signal);
    }
  }
}

/** The service is down or stopped during the answer; the time-out of a provider has a code. */
function isDown(error: unknown, { deadline }: Caller): boolean {
  if (!(error instanceof ApiError)) return false;
  const isStalled = error.kind === 'timeout' && error.extras.code === undefined && Date.now() < deadline;
  return error.kind === 'unavailable' || isStalled;
}

/** An earlier attempt ends by its own limits, or its claim expires with the process that was lost. */
const isUnderWay = (error: unknown): boolean => error instanceof ApiError && error.kind === 'in_progress';

const isInterrupted = (error: unknown): boolean =>
  error instanceof ApiError && error.extras.code === 'stream_interrupted';

/**
 * Repeats a part of an attempt while what it needs is down or slow, as long as the attempt has its job: the next attempt
 * would make calls again that were paid for.
 */
export async function retriedPart<T>(signal: AbortSignal, part: () => Promise<T>): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await part();
    } catch (error) {
      signal.throwIfAborted();
      if (!isTemporary(error)) throw error;
      await pause((BACKOFF_MS[failures] ?? LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2), signal);
    }
  }
}

const isTemporary = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'unavailable' || error.kind === 'timeout');

export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    promise.catch(() => undefined);
    return Promise.reject(signal.reason as Error);
  }
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  let timer: NodeJS.Timeout;
  const waiting = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  return abortable(waiting, signal).finally(() => clearTimeout(timer));
}
