import { invalidField } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { ADD_TO_STATE } from './session-state.sql.js';

/** In bytes of the JSON text that the database writes. */
export const MAX_STATE = 65_536;

export async function addToState(tx: Tx, sessionNo: number, change: Record<string, unknown>): Promise<void> {
  if (Object.keys(change).length === 0) return;
  const [row] = await tx.query<{ size: number }>(ADD_TO_STATE, [
    tx.companyId,
    sessionNo,
    JSON.stringify(change),
    Date.now(),
  ]);
  if ((row?.size ?? 0) > MAX_STATE) throw invalidField('state', 'makes the state of the session larger than 64 KiB');
}
