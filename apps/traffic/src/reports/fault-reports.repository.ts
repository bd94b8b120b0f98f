import { Injectable } from '@nestjs/common';
import type { FaultGroup, FaultSummary, InputOf, Page, ReportedFault, reports } from '@signalbox/contracts';
import { Database, likeText } from '@signalbox/database';
import { rate } from '../analytics/index.js';
import { DAY, directionOf, ReportConditions } from './report-query.js';

/** The filters of faults. */
export type FaultFilters = Omit<
  InputOf<typeof reports.endpoints.listFaults>,
  'offset' | 'limit' | 'sort' | 'format' | 'search'
>;
type List = InputOf<typeof reports.endpoints.listFaults>;

/** The results that decide about requests, with their requests; deleted requests count as in analytics. */
const FROM = `traffic.evaluation_results r JOIN traffic.requests t ON t.company_id = r.company_id
  AND t.request_id = r.request_id AND t.date_created = r.request_date`;
const FIELDS = `r.id, t.request_id, t.session_id, t.application_id, t.intent_id, r.sentinel_id, r.sentinel_name, r.severity,
  r.description, t.correction_applied, t.date_created`;

/** The keys and labels of the groups. */
const GROUPS: Readonly<Record<FaultGroup, { key: string; label: string }>> = {
  sentinel: { key: 'r.sentinel_id::text', label: 'max(r.sentinel_name)' },
  intent: {
    key: 't.intent_id::text',
    label: `(SELECT i.action_type FROM traffic.intents i WHERE i.company_id = s.company AND i.id = t.intent_id)`,
  },
  application: {
    key: 't.application_id::text',
    label: `(SELECT a.application_name FROM traffic.applications a WHERE a.company_id = s.company AND a.id = t.application_id)`,
  },
  day: { key: DAY, label: DAY },
};

function conditionsOf(input: FaultFilters): ReportConditions {
  const conditions = new ReportConditions(input, ['r.company_id = s.company', 'r.is_current']);
  return conditions
    .add('r.request_date >= ?', conditions.span.start)
    .add('r.request_date < ?', conditions.span.end)
    .add('t.intent_group_id = ?', input.intent_group_id)
    .add('r.sentinel_id = ?', input.sentinel_id)
    .add('r.severity = ?', input.severity)
    .add('(t.correction_applied OR t.corrected_response IS NOT NULL) = ?::boolean', input.corrected);
}

/**
 * Faults in production traffic.
 *
 * SQL: results are joined with their requests and counted by request.
 */
@Injectable()
export class FaultReports {
  constructor(private readonly db: Database) {}

  async list(companyId: number, { offset, limit, sort, search, ...input }: List): Promise<Page<ReportedFault>> {
    const conditions = conditionsOf(input).add(`r.status = ?`, 'FAULT');
    conditions.add('(r.sentinel_name ILIKE ? OR r.description ILIKE ?)', search ? likeText(search) : undefined);
    const direction = directionOf(sort);
    const rows = await this.db.select<ReportedFault & { id: number; total: number }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${FIELDS}, count(*) OVER ()::bigint AS total FROM ${FROM} WHERE ${conditions.where}
         ORDER BY r.id ${direction} LIMIT ${conditions.place(limit)}::int OFFSET ${conditions.place(offset)}::bigint) x
       ORDER BY x.id ${direction}`,
      conditions.values,
    );
    const total = rows[0]?.total ?? (offset === 0 ? 0 : await this.count(companyId, input, search));
    return { data: rows.map(withoutKeys), pagination: { total, offset, limit } };
  }

  /** The faults from the newest on, in batches. */
  async *all(companyId: number, input: FaultFilters, size: number): AsyncGenerator<ReportedFault[]> {
    for (let before: number | undefined; ;) {
      const conditions = conditionsOf(input).add(`r.status = ?`, 'FAULT').add('r.id < ?::bigint', before);
      const rows = await this.db.select<ReportedFault & { id: number }>(
        companyId,
        `SELECT x.* FROM s, LATERAL (SELECT ${FIELDS} FROM ${FROM} WHERE ${conditions.where}
           ORDER BY r.id DESC LIMIT ${conditions.place(size)}::int) x ORDER BY x.id DESC`,
        conditions.values,
      );
      if (rows.length > 0) yield rows.map(withoutKeys);
      if (rows.length < size) return;
      before = rows.at(-1)?.id;
    }
  }

  /** The counts of each group. Groups other than sentinels count requests, so they agree with analytics. */
  async summary(companyId: number, input: FaultFilters, group: FaultGroup): Promise<FaultSummary[]> {
    const conditions = conditionsOf(input);
    const { key, label } = GROUPS[group];
    const of = group === 'sentinel' ? ', r.sentinel_id' : '';
    const rows = await this.db.select<Omit<FaultSummary, 'fault_rate'>>(
      companyId,
      `SELECT x.* FROM s, LATERAL (
         SELECT f.key, COALESCE(max(f.label), f.key) AS label, count(*) FILTER (WHERE f.fault)::int AS fault_count,
           count(*) FILTER (WHERE f.fault OR (f.pass AND NOT f.error))::int AS evaluated,
           count(*) FILTER (WHERE f.error AND NOT f.fault)::int AS error_count
         FROM (SELECT ${key} AS key, ${label} AS label, bool_or(r.status = 'FAULT') AS fault, bool_or(r.status = 'ERROR') AS error,
             bool_or(r.status = 'PASS') AS pass
           FROM ${FROM} WHERE ${conditions.where} GROUP BY t.request_id, t.date_created, t.intent_id, t.application_id${of}) f
         WHERE f.key IS NOT NULL GROUP BY f.key OFFSET 0) x`,
      conditions.values,
    );
    return rows.map((row) => ({ ...row, fault_rate: rate(row.fault_count, row.evaluated) }));
  }

  /** The number of faults, for a page behind the last one. */
  private async count(companyId: number, input: FaultFilters, search: string | undefined): Promise<number> {
    const conditions = conditionsOf(input).add(`r.status = ?`, 'FAULT');
    conditions.add('(r.sentinel_name ILIKE ? OR r.description ILIKE ?)', search ? likeText(search) : undefined);
    const [row] = await this.db.select<{ total: number }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT count(*)::bigint AS total FROM ${FROM} WHERE ${conditions.where} OFFSET 0) x`,
      conditions.values,
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
