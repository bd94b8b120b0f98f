import { Injectable } from '@nestjs/common';
import type { Tx } from '@signalbox/database';
import { type Active, activityCounts } from './activity.js';

const COUNT = `INSERT INTO traffic.activity AS t
    (company_id, application_id, intent_id, intent_group_id, model, request_count, last_activity)
  SELECT $1::int, u.* FROM unnest($2::int[], $3::int[], $4::int[], $5::text[], $6::bigint[], $7::bigint[]) u
  ON CONFLICT (company_id, application_id, intent_id, model) DO UPDATE SET
    request_count = t.request_count + EXCLUDED.request_count,
    last_activity = GREATEST(t.last_activity, EXCLUDED.last_activity)`;

/** Counts of what was recorded. */
@Injectable()
export class Activity {
  /** Counts requests that were just recorded; the last statement of its transaction, because everybody waits for it. */
  async count(tx: Tx, requests: readonly Active[]): Promise<void> {
    const counts = activityCounts(requests);
    if (counts.length === 0) return;
    await tx.query(COUNT, [
      tx.companyId,
      counts.map(({ application_id }) => application_id),
      counts.map(({ intent_id }) => intent_id),
      counts.map(({ intent_group_id }) => intent_group_id),
      counts.map(({ model }) => model),
      counts.map(({ requests }) => requests),
      counts.map(({ last_at }) => last_at),
    ]);
  }
}
