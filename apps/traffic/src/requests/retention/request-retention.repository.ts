import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import { PayloadOffload } from '../../payload-offload/index.js';
import type { RecordedDay } from './retention.js';

const DAY_MS = 86_400_000;
const BATCH = 2000;
/** The tables with rows of requests and the date of each request. */
const OF_REQUESTS = ['request_tags', 'evaluation_results'];

/** The companies with rows of a span of time, found by skipping through the key. */
const COMPANIES = `WITH RECURSIVE c(id) AS (
    (SELECT company_id FROM traffic.requests WHERE date_created >= $1 AND date_created < $2 ORDER BY company_id LIMIT 1)
    UNION ALL
    SELECT (SELECT r.company_id FROM traffic.requests r
      WHERE r.company_id > c.id AND r.date_created >= $1 AND r.date_created < $2 ORDER BY r.company_id LIMIT 1)
    FROM c WHERE c.id IS NOT NULL
  ) SELECT id FROM c WHERE id IS NOT NULL`;

const DAYS = `SELECT substring(p.relname FROM 10) AS day FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid
  WHERE i.inhparent = 'traffic.requests'::regclass AND p.relname ~ '^requests_[0-9]{8}$' ORDER BY 1`;

/** The companies and days with requests in the default partition, found in the same way. */
const IN_DEFAULT = `WITH RECURSIVE d(company_id, starts) AS (
    (SELECT company_id, date_created / ${DAY_MS} * ${DAY_MS} FROM traffic.requests_default
     ORDER BY company_id, date_created LIMIT 1)
    UNION ALL
    SELECT n.* FROM d CROSS JOIN LATERAL (
      SELECT r.company_id, r.date_created / ${DAY_MS} * ${DAY_MS} FROM traffic.requests_default r
      WHERE (r.company_id, r.date_created) >= (d.company_id, d.starts + ${DAY_MS})
      ORDER BY r.company_id, r.date_created LIMIT 1) n
  ) SELECT starts, array_agg(company_id) AS companies FROM d GROUP BY starts ORDER BY starts`;

/**
 * Recorded requests by the day of their partition.
 *
 * SQL: whole partitions are dropped, and companies are found by index jumps.
 */
@Injectable()
export class RequestRetention {
  constructor(
    private readonly db: Database,
    private readonly parts: PayloadOffload,
  ) {}

  /** The days that are over, and those with requests in the default partition. */
  async days(): Promise<RecordedDay[]> {
    const rows = await this.db.asWorker<{ day: string }>(DAYS);
    const over = rows
      .map(({ day }) => Date.UTC(Number(day.slice(0, 4)), Number(day.slice(4, 6)) - 1, Number(day.slice(6, 8))))
      .filter((starts) => starts + DAY_MS <= Date.now());
    const days: RecordedDay[] = [];
    for (const starts of over) {
      const companies = await this.db.asWorker<{ id: number }>(COMPANIES, [starts, starts + DAY_MS]);
      days.push({ starts, companies: companies.map(({ id }) => id), hasPartition: true });
    }
    const others = await this.db.asWorker<Omit<RecordedDay, 'hasPartition'>>(IN_DEFAULT);
    return [...days, ...others.map((day) => ({ ...day, hasPartition: false }))];
  }

  /** Drops the partition of a day that is over, with the tags and results of its requests. */
  async drop({ starts, companies, hasPartition }: RecordedDay): Promise<void> {
    if (!hasPartition) {
      for (const companyId of companies) await this.remove(companyId, starts, starts + DAY_MS);
      return;
    }
    for (const companyId of companies)
      await this.db.withCompany({ companyId }, async (tx) => {
        for (const table of OF_REQUESTS)
          await tx.query(
            `DELETE FROM traffic.${table} WHERE company_id = $1 AND request_date >= $2 AND request_date < $3`,
            [companyId, starts, starts + DAY_MS],
          );
      });
    await this.db.asWorker('SELECT traffic.drop_request_partition($1::date)', [
      new Date(starts).toISOString().slice(0, 10),
    ]);
  }

  /** Deletes the requests of a company of a day before a time, in small batches that hold locks briefly. */
  async remove(companyId: number, starts: number, before: number): Promise<void> {
    const until = Math.min(before, starts + DAY_MS);
    for (let deleted = BATCH; deleted === BATCH;) {
      deleted = await this.parts.releasing({ companyId }, async (tx, release) => {
        const rows = await tx.query<{ request_id: string; aside: boolean }>(
          `WITH old AS (SELECT request_id, date_created FROM traffic.requests
             WHERE company_id = $1 AND date_created >= $2 AND date_created < $3 LIMIT $4)
           DELETE FROM traffic.requests r USING old
           WHERE r.company_id = $1 AND r.request_id = old.request_id AND r.date_created = old.date_created
           RETURNING r.request_id, r.objects IS NOT NULL AS aside`,
          [companyId, starts, until, BATCH],
        );
        for (const table of OF_REQUESTS)
          await tx.query(`DELETE FROM traffic.${table} WHERE company_id = $1 AND request_id = ANY($2::uuid[])`, [
            companyId,
            rows.map(({ request_id }) => request_id),
          ]);
        await release(rows.filter(({ aside }) => aside).map(({ request_id }) => request_id));
        return rows.length;
      });
    }
  }
}
