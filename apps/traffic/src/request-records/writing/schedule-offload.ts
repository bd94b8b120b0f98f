import type { Tx } from '@signalbox/database';
import { isLarge } from './offloaded-text.js';
import { trafficJobs } from '../../jobs.js';

export function scheduleOffload(tx: Tx, requestId: string, parts: readonly (string | null)[]): void {
  if (parts.some((text) => text !== null && isLarge(text))) tx.addJob(trafficJobs.offloadPayload, { requestId });
}
