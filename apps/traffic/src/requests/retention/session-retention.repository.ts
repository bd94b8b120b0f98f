import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import { BATCH, COMPANIES_WITH_SESSIONS, DELETE_SESSIONS } from './session-retention.sql.js';

const DAY_MS = 86_400_000;

/** SQL: companies are found without reading sessions, which are deleted in batches. */
@Injectable()
export class SessionRetention {
  constructor(private readonly db: Database) {}

  /** Companies with sessions older than the shortest retention that can be set. */
  async companies(): Promise<number[]> {
    const rows = await this.db.asWorker<{ company_id: number }>(COMPANIES_WITH_SESSIONS, [Date.now() - DAY_MS]);
    return rows.map(({ company_id }) => company_id);
  }

  /** In batches that hold locks briefly. */
  async remove(companyId: number, before: number, stop: AbortSignal): Promise<void> {
    for (let deleted = BATCH; deleted === BATCH && !stop.aborted;)
      deleted = await this.db.withCompany({ companyId }, async (tx) => {
        // The outer condition is evaluated again for a session whose next request has been recorded meanwhile.
        const rows = await tx.query(DELETE_SESSIONS, [companyId, before]);
        return rows.length;
      });
  }
}
