import type { Tx } from '@signalbox/database';
import { isLarge } from './offloaded-text.js';

/** Kind of the work of moving the large parts of a request into the object store. */
export const PAYLOAD_OFFLOAD_WORK = 'large_parts';

/** Adds the offload work for a request of this transaction when one of its parts is large. */
export function scheduleOffload(tx: Tx, requestId: string, parts: readonly (string | null)[]): void {
  if (parts.some((text) => text !== null && isLarge(text))) tx.addWork(PAYLOAD_OFFLOAD_WORK, requestId);
}
