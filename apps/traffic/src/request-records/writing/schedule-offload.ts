import type { Tx } from '@signalbox/database';
import { isLarge } from './offloaded-text.js';
import { trafficJobs } from '../../jobs.js';

/** Adds the offload work for a request of this transaction when one of its parts is large. */
export function scheduleOffload(tx: Tx, requestId: string, parts: readonly (string | null)[]): void {
  if (parts.some((text) => text !== null && isLarge(text))) tx.addJob(trafficJobs.offloadPayload, { requestId });
}
