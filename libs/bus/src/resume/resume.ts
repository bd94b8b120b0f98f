import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ApiError, type Caller, type Endpoint } from '@signalbox/contracts';
import { CallLost, DeliveryUnknown } from './call-lost.js';

/** Longer than a process takes to restart. */
const RESUME_MS = 30_000;
const RETRY_MS = 250;
/** Unconfirmed calls in a row after which the service is down; the client does not wait for its deadline. */
const MAX_UNCONFIRMED = 2;

/** Whether a second call waits for the work of the first. */
export const isResumable = ({ slow, method, resumable }: Endpoint): boolean =>
  slow === true && (method === 'GET' || resumable === true);

/**
 * Sends a call again under the same id until its deadline whenever the process that holds it ends. `send` rejects with
 * CallLost when a call was received and its reply will never arrive.
 */
export async function withResume<T>(given: Caller, send: (caller: Caller) => Promise<T>): Promise<T> {
  const caller = { ...given, callId: randomUUID(), isResent: false };
  try {
    return await send(caller);
  } catch (error) {
    return resume(error, caller, send);
  }
}

export async function resume<T>(thrown: unknown, caller: Caller, send: (caller: Caller) => Promise<T>): Promise<T> {
  if (!(thrown instanceof CallLost)) throw thrown;
  const resent = { ...caller, isResent: true };
  let until = untilOf(caller);
  // Once a process has confirmed the call there is work to wait for.
  let isConfirmed = !(thrown instanceof DeliveryUnknown);
  let unconfirmed = 1;
  for (;;) {
    try {
      return await send(resent);
    } catch (error) {
      if (error instanceof DeliveryUnknown) unconfirmed += 1;
      else if (error instanceof CallLost) isConfirmed = true;
      // No process receives calls: the one that died restarts.
      else unconfirmed = 0;
      if (!isConfirmed && unconfirmed >= MAX_UNCONFIRMED) throw error;
      if (error instanceof CallLost && Date.now() < caller.deadline) until = untilOf(caller);
      else if (!isPassing(error) || Date.now() > until) throw error;
      else await delay(RETRY_MS);
    }
  }
}

const untilOf = ({ deadline }: Caller): number => Math.min(deadline, Date.now() + RESUME_MS);

/** No process serves the call yet, or the claim of the lost one has not expired. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.kind === 'unavailable' || error.kind === 'in_progress');
