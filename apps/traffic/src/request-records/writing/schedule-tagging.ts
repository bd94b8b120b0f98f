import type { Tx } from '@signalbox/database';
import type { RequestRecord } from '../request-record.js';
import { trafficJobs } from '../../jobs.js';

/** Synthetic requests are never tagged automatically. */
export function scheduleTagging(tx: Tx, records: readonly Pick<RequestRecord, 'request_id' | 'request_type'>[]): void {
  for (const { request_id, request_type } of records)
    if (request_type !== 'SYNTHETIC') tx.addJob(trafficJobs.tagRequest, { requestId: request_id.toLowerCase() });
}
