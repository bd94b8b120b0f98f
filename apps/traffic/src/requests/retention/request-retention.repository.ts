import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import { PayloadOffload } from '../../payload-offload/index.js';
import type { RecordedDay } from './retention.js';
import {
  COMPANIES_OF_SPAN,
  DAY_MS,
  RECORDED_DAYS,
  DELETE_OF_DAY,
  DELETE_OF_REQUESTS,
  DELETE_REQUESTS,
  DROP_PARTITION,
  DAYS_IN_DEFAULT,
  OF_REQUESTS,
} from './request-retention.sql.js';

/** The roll-ups of deleted requests take most of the time: 1 to 2 ms for each on a busy machine. */
const BATCH = 500;

/** SQL: whole partitions are dropped, and companies are found by index jumps. */
@Injectable()
export class RequestRetention {
  constructor(
    private readonly db: Database,
    private readonly parts: PayloadOffload,
  ) {}

  async days(): Promise<RecordedDay[]> {
    const rows = await this.db.asWorker<{ day: string }>(RECORDED_DAYS);
    const over = rows
      .map(({ day }) => Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6, 8))))
      .filter((starts) => starts + DAY_MS <= Date.now());
    const days: RecordedDay[] = [];
    for (const starts of over) days.push({ starts, companies: await this.companiesOf(starts), hasPartition: true });
    const others = await this.db.asWorker<Omit<RecordedDay, 'hasPartition'>>(DAYS_IN_DEFAULT);
    return [...days, ...others.map((day) => ({ ...day, hasPartition: false }))];
  }

  private async companiesOf(starts: number): Promise<number[]> {
    const rows = await this.db.asWorker<{ id: number }>(COMPANIES_OF_SPAN, [starts, starts + DAY_MS]);
    return rows.map(({ id }) => id);
  }

  /** Includes the tags and results of its requests. Throws when another company has requests of the day by now. */
  async drop({ starts, companies, hasPartition }: RecordedDay): Promise<void> {
    if (!hasPartition) {
      for (const companyId of companies) await this.remove(companyId, starts, starts + DAY_MS);
      return;
    }
    for (const companyId of companies)
      await this.db.withCompany({ companyId }, async (tx) => {
        for (const table of OF_REQUESTS) await tx.query(DELETE_OF_DAY(table), [companyId, starts, starts + DAY_MS]);
      });
    // Spans and spools from elsewhere arrive for past days, and whose they are has not been asked what it keeps.
    const late = (await this.companiesOf(starts)).find((id) => !companies.includes(id));
    if (late !== undefined) throw new Error(`company ${late} has requests of the day since the pass began`);
    await this.db.asWorker(DROP_PARTITION, [new Date(starts).toISOString().slice(0, 10)]);
  }

  /** In small batches that hold locks briefly. */
  async remove(companyId: number, starts: number, before: number): Promise<void> {
    const until = Math.min(before, starts + DAY_MS);
    for (let deleted = BATCH; deleted === BATCH;) {
      deleted = await this.parts.releasing({ companyId }, async (tx, release) => {
        const rows = await tx.query<{ request_id: string; aside: boolean }>(DELETE_REQUESTS, [
          companyId,
          starts,
          until,
          BATCH,
        ]);
        for (const table of OF_REQUESTS)
          await tx.query(DELETE_OF_REQUESTS(table), [companyId, rows.map(({ request_id }) => request_id)]);
        await release(rows.filter(({ aside }) => aside).map(({ request_id }) => request_id));
        return rows.length;
      });
    }
  }
}
