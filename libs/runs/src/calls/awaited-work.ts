import { serviceCaller } from '@signalbox/bus';
import { ApiError, type Caller, type Chain, type ErrorKind } from '@signalbox/contracts';
import { abortable, pause } from './retried-call.js';
import { RunEndedError } from '../run-kind.js';

/** Wait of one call, unless the work says another; it is repeated until the work has ended. */
const WAIT_MS = 60_000;
const DOWN_MS = 30_000;
const FIRST_PAUSE_MS = 200;
const MAX_PAUSE_MS = 4000;
const CANCEL_MS = 5000;
/** The work may still be about to be accepted. */
const CANCEL_ATTEMPTS = 5;
const CANCEL_PAUSE_MS = 1000;

export interface AwaitedWork<T> {
  companyId: number;
  /** The id of the run or task: a repeated call waits for the same one. */
  callId: string;
  signal: AbortSignal;
  /** Epoch ms; by default until the work ends by its own limits. */
  until?: number;
  /** Wait of one call in ms, where the work ends with the call. */
  waitMs?: number;
  /** How long the service may be down meanwhile, in ms; default 30 s. */
  downMs?: number | undefined;
  chain?: Chain | undefined;
  /** Starts the work, or waits for it when it exists; 504 when it takes longer than the deadline of the caller. */
  call(caller: Caller): Promise<T>;
  cancel(caller: Caller): Promise<unknown>;
}

/**
 * Waits for the end of a run or task under its call id, over restarts of its service: there is one run however often it
 * is called. Throws `timeout` when `until` has passed and `unavailable` when the service is down for `downMs`; a later
 * call with the same id waits for the same work. The work is cancelled when `until` has passed, and when the signal
 * aborts because the waiting run has ended; when the worker stops, the work continues for the next worker.
 */
export async function awaitedWork<T>(work: AwaitedWork<T>): Promise<T> {
  try {
    return await ended(work);
  } catch (error) {
    const isOver = work.until !== undefined && Date.now() >= work.until;
    if (isOver || work.signal.reason instanceof RunEndedError) void cancelled(work);
    throw error;
  }
}

async function ended<T>({
  companyId,
  callId,
  signal,
  until = Infinity,
  waitMs = WAIT_MS,
  downMs = DOWN_MS,
  chain,
  call,
}: AwaitedWork<T>): Promise<T> {
  let downUntil: number | undefined;
  let wait = FIRST_PAUSE_MS;
  for (;;) {
    signal.throwIfAborted();
    const deadline = Math.min(Date.now() + waitMs, until);
    const caller = { ...serviceCaller(companyId, deadline), callId, isResent: true, ...(chain ? { chain } : {}) };
    try {
      return await abortable(call(caller), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (isStillWaiting(error)) {
        // The service replied: the work itself takes long.
        downUntil = undefined;
        if (Date.now() >= until) throw error;
        if (Date.now() > deadline - waitMs / 2) wait = FIRST_PAUSE_MS;
      } else if (!isKind(error, 'unavailable') || Date.now() >= Math.min((downUntil ??= Date.now() + downMs), until))
        throw error;
    }
    await pause(wait * (0.5 + Math.random() / 2), signal);
    wait = Math.min(wait * 2, MAX_PAUSE_MS);
  }
}

/** The call that started the work can arrive after the one that cancels it: unknown work is cancelled again. */
async function cancelled({ companyId, callId, cancel }: AwaitedWork<unknown>): Promise<void> {
  for (let left = CANCEL_ATTEMPTS; left > 0; left--) {
    try {
      await cancel({ ...serviceCaller(companyId, Date.now() + CANCEL_MS), callId });
      return;
    } catch (error) {
      if (!(['not_found', 'unavailable', 'timeout'] as const).some((kind) => isKind(error, kind))) return;
      await new Promise((resolve) => setTimeout(resolve, CANCEL_PAUSE_MS).unref());
    }
  }
}

/** The time-out of a provider has a code: the work has ended with it. */
const isStillWaiting = (error: unknown): boolean =>
  error instanceof ApiError && error.kind === 'timeout' && error.extras.code === undefined;

const isKind = (error: unknown, kind: ErrorKind): boolean => error instanceof ApiError && error.kind === kind;
