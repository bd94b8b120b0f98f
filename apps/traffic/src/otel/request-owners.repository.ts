import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import type { RequestRecord } from '../request-records/index.js';
import { MOVE_REQUESTS, UNCOUNT_ACTIVITY } from './request-owners.sql.js';

interface MovedRequests {
  application_id: number | null;
  model: string;
  requests: number;
}

/** SQL: a span that arrives late may tell to which agent and session recorded requests belong. */
@Injectable()
export class RequestOwners {
  constructor(private readonly db: Database) {}

  /** Gives recorded requests that are not deleted the owners that the records name. */
  async move(companyId: number, records: readonly RequestRecord[]): Promise<void> {
    await this.db.withCompany({ companyId }, async (tx) => {
      const moved = await tx.query<MovedRequests>(MOVE_REQUESTS, [
        tx.companyId,
        records.map(({ request_id }) => request_id),
        records.map(({ date_created }) => date_created),
        records.map(({ application_id }) => application_id),
        records.map(({ agent_id }) => agent_id),
        records.map(({ session_id }) => session_id),
        records.map(({ origin_id }) => origin_id),
        records.map(({ release }) => release ?? null),
      ]);
      if (moved.length === 0) return;
      // After the move, which folds all that was recorded before into the activity.
      await tx.query(UNCOUNT_ACTIVITY, [
        tx.companyId,
        moved.map(({ application_id }) => application_id),
        moved.map(({ model }) => model),
        moved.map(({ requests }) => requests),
      ]);
    });
  }
}
