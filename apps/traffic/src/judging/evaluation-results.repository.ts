import { Injectable } from '@nestjs/common';
import type { EvaluationResult, JsonText, Page, ResultFilter } from '@signalbox/contracts';
import { Database, type Filter, type ListOptions, type View } from '@signalbox/database';

const FIELDS = [
  'id',
  'evaluation_request_id',
  'evaluation_id',
  'request_id',
  'session_id',
  'application_id',
  'intent_id',
  'intent_group_id',
  'sentinel_id',
  'sentinel_name',
  'severity',
  'status',
  'failure_class',
  'description',
  'confidence',
  'correction',
  'eval_time_ms',
  'usage',
  'date_created',
];

const view: View = {
  resource: 'evaluation result',
  table: 'traffic.evaluation_results',
  keyType: 'bigint',
  alive: 'true',
  columns: FIELDS,
  search: ['t.sentinel_name', 't.description'],
  sort: { date_updated: 't.date_created', severity: 't.severity', eval_time_ms: 't.eval_time_ms' },
};

/** The columns of a result over the alias `t`. */
export const RESULT_FIELDS = FIELDS.map((name) => `t.${name}`).join(', ');
const EQUAL = [
  'status',
  'sentinel_id',
  'application_id',
  'intent_id',
  'intent_group_id',
  'severity',
  'failure_class',
] as const;

/** The conditions of a filter of results. */
export function conditionsOf(input: ResultFilter): Filter[] {
  const given: [string, unknown][] = [
    ...EQUAL.map((name): [string, unknown] => [`t.${name} = ?`, input[name]]),
    ['t.date_created >= ?', input.start_date],
    ['t.date_created < ?', input.end_date],
  ];
  return given.filter(([, value]) => value !== undefined).map(([sql, value]) => ({ sql, value }));
}

/**
 * Results of sentinels as they are read.
 *
 * SQL: the results of one request are one read without paging.
 */
@Injectable()
export class EvaluationResults {
  constructor(private readonly db: Database) {}

  list(companyId: number, options: ListOptions): Promise<JsonText<Page<EvaluationResult>>> {
    return this.db.list<EvaluationResult>(view, companyId, options);
  }

  /** All results of a request, newest first. */
  ofRequest(companyId: number, requestId: string): Promise<EvaluationResult[]> {
    return this.db.select<EvaluationResult>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${RESULT_FIELDS} FROM traffic.evaluation_results t
         WHERE t.company_id = s.company AND t.request_id = $2 OFFSET 0) x ORDER BY x.id DESC`,
      [requestId],
    );
  }

  /** The results with these ids, in the order of the ids. */
  async byIds(companyId: number, ids: readonly number[]): Promise<EvaluationResult[]> {
    return this.db.select<EvaluationResult>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${RESULT_FIELDS} FROM traffic.evaluation_results t
         WHERE t.company_id = s.company AND t.id = ANY ($2::bigint[]) OFFSET 0) x ORDER BY x.id`,
      [ids],
    );
  }

  /** Ids of results that are stored later. */
  async reserve(companyId: number, count: number): Promise<number[]> {
    const rows = await this.db.select<{ id: number }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT nextval('traffic.evaluation_results_id_seq') AS id
         FROM generate_series(1, $2::int) WHERE s.company IS NOT NULL OFFSET 0) x`,
      [count],
    );
    return rows.map(({ id }) => Number(id));
  }
}
