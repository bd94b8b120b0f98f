import { Injectable } from '@nestjs/common';
import type { FaultGroup, FaultSummary, InputOf, Page, ReportedFault, reports } from '@signalbox/contracts';
import { Database, type Filter, filtersOf, likeText, placedValues } from '@signalbox/database';
import { rate, spanOf } from '../analytics/index.js';
import { COUNT_FAULTS, FAULT, FAULTS_BY_GROUP, LIST_FAULTS, NEXT_FAULTS } from './fault-reports.sql.js';
import { directionOf } from './report-query.js';

export type FaultFilters = Omit<
  InputOf<typeof reports.endpoints.listFaults>,
  'offset' | 'limit' | 'sort' | 'format' | 'search'
>;
type List = InputOf<typeof reports.endpoints.listFaults>;

function conditionsOf(
  input: FaultFilters,
  { search, before }: { search?: string | undefined; before?: number | undefined } = {},
): Filter[] {
  const { application_id, intent_id, intent_group_id, sentinel_id, severity, corrected } = input;
  const { start: start_date, end: end_date } = spanOf(input, Date.now());
  const scope = { start_date, end_date, application_id, intent_id, intent_group_id, sentinel_id, severity, corrected };
  return filtersOf(FAULT, { ...scope, search: search ? likeText(search) : undefined, before });
}

/** SQL: results are joined with their requests and counted by request. */
@Injectable()
export class FaultReports {
  constructor(private readonly db: Database) {}

  async list(companyId: number, { offset, limit, sort, search, ...input }: List): Promise<Page<ReportedFault>> {
    const conditions = conditionsOf(input, { search });
    const rows = await this.db.select<ReportedFault & { id: number; total: number }>(
      companyId,
      LIST_FAULTS(conditions, directionOf(sort)),
      [limit, offset, ...placedValues(conditions)],
    );
    const total = rows[0]?.total ?? (offset === 0 ? 0 : await this.count(companyId, conditions));
    return { data: rows.map(withoutKeys), pagination: { total, offset, limit } };
  }

  async *all(companyId: number, input: FaultFilters, size: number): AsyncGenerator<ReportedFault[]> {
    for (let before: number | undefined; ;) {
      const conditions = conditionsOf(input, { before });
      const rows = await this.db.select<ReportedFault & { id: number }>(companyId, NEXT_FAULTS(conditions), [
        size,
        ...placedValues(conditions),
      ]);
      if (rows.length > 0) yield rows.map(withoutKeys);
      if (rows.length < size) return;
      before = rows.at(-1)?.id;
    }
  }

  /** Groups other than sentinels count requests, so they agree with analytics. */
  async summary(companyId: number, input: FaultFilters, group: FaultGroup): Promise<FaultSummary[]> {
    const conditions = conditionsOf(input);
    const rows = await this.db.select<Omit<FaultSummary, 'fault_rate'>>(
      companyId,
      FAULTS_BY_GROUP(group, conditions),
      placedValues(conditions),
    );
    return rows.map((row) => ({ ...row, fault_rate: rate(row.fault_count, row.evaluated) }));
  }

  /** For a page behind the last one, whose rows do not contain the number. */
  private async count(companyId: number, conditions: readonly Filter[]): Promise<number> {
    const [row] = await this.db.select<{ total: number }>(
      companyId,
      COUNT_FAULTS(conditions),
      placedValues(conditions),
    );
    return row?.total ?? 0;
  }
}

function withoutKeys({
  id: _id,
  total: _total,
  ...fault
}: ReportedFault & { id: number; total?: number }): ReportedFault {
  return fault;
}
