import type { Tx } from '@signalbox/database';
import type { RequestRecord } from '../request-record.js';

/** Kind of the work of tagging one new request. */
export const TAG_REQUEST_WORK = 'tag_request';

/** Adds the work of tagging the recorded requests of this transaction. Synthetic ones are never tagged automatically. */
export function scheduleTagging(tx: Tx, records: readonly Pick<RequestRecord, 'request_id' | 'request_type'>[]): void {
  for (const { request_id, request_type } of records)
    if (request_type !== 'SYNTHETIC') tx.addWork(TAG_REQUEST_WORK, request_id.toLowerCase());
}
