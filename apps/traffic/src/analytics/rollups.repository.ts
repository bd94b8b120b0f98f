import { Injectable } from '@nestjs/common';
import type { Bucket, Grouping } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { type Columns, rowsOf } from './columns.js';
import { type Metrics, NONE } from './metrics.js';
import {
  COUNT,
  countValues,
  FOLD,
  type MetricsQuery,
  type RequestCount,
  SERIES,
  seriesValues,
  TOTALS,
  totalsValues,
} from './rollups.sql.js';
import type { MetricRows } from './series.js';

/**
 * Sums over rollups of whole hours and days, and over the requests in the partial buckets of a span.
 *
 * SQL: sums over rollups and partial buckets are one statement each.
 */
@Injectable()
export class Rollups {
  constructor(private readonly db: Database) {}

  /** Adds the recorded requests of a company that are not in its rollups yet. */
  async fold(companyId: number): Promise<void> {
    for (let more = true; more;) {
      const [row] = await this.db.select<{ more: boolean }>(companyId, FOLD);
      more = row?.more === true;
    }
  }

  async series(companyId: number, wanted: MetricsQuery, bucket: Bucket, grouping: Grouping): Promise<MetricRows> {
    await this.fold(companyId);
    const [columns] = await this.db.select<Columns>(
      companyId,
      SERIES(wanted, bucket, grouping),
      seriesValues(wanted, bucket, grouping),
    );
    return rowsOf(columns);
  }

  async summary(companyId: number, wanted: MetricsQuery): Promise<{ figures: Metrics; sessions: number }> {
    await this.fold(companyId);
    const [row] = await this.db.select<Metrics & { sessions: number }>(companyId, TOTALS(wanted), totalsValues(wanted));
    return { figures: { ...NONE, ...row }, sessions: row?.sessions ?? 0 };
  }

  async count(companyId: number, wanted: RequestCount): Promise<number> {
    await this.fold(companyId);
    const [row] = await this.db.select<{ total: number }>(companyId, COUNT(wanted), countValues(wanted));
    return row?.total ?? 0;
  }
}
