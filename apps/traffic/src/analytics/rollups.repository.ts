import { Injectable } from '@nestjs/common';
import type { AnalyticsQuery, Bucket, Grouping } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { type Columns, columnsSql, rowsOf } from './columns.js';
import { type Distribution, type Metrics, type Measure, NONE } from './metrics.js';
import { type MetricRows, MAX_POINTS } from './series.js';
import { LENGTHS, type SpanPart, spanPartsOf, type Span } from './time-buckets.js';

/** The filters of metrics; without a type, requests of people and agents. */
export type AnalyticsFilter = Pick<
  Partial<AnalyticsQuery>,
  'application_id' | 'intent_id' | 'intent_group_id' | 'agent_id' | 'model'
> & { request_type?: AnalyticsQuery['request_type'] | 'any' };

/** The requested metrics of a span. */
export interface MetricsQuery {
  span: Span;
  narrowing: AnalyticsFilter;
  measures: readonly Measure[];
  distributions: readonly Distribution[];
}

const EQUAL = ['application_id', 'intent_id', 'intent_group_id', 'agent_id', 'model'] as const;
const BY_DEFAULT = `t.request_type IN ('PROD', 'MANUAL')`;
/** The series with a row of metrics per value of one dimension, for requests of people and agents. */
const KINDS: Record<(typeof EQUAL)[number], string> = {
  application_id: 'application',
  intent_id: 'intent',
  intent_group_id: 'intent_group',
  agent_id: 'agent',
  model: 'model',
};
const KEYS: Record<Grouping, string> = {
  none: `'all'`,
  application: 't.application_id::text',
  intent: 't.intent_id::text',
  intent_group: 't.intent_group_id::text',
  agent: 't.agent_id::text',
  model: 't.model',
  release: 't.release',
  workflow: 't.workflow_id::text',
};
/** The bins of a single request as an entry of a sketch. */
const ENTRIES: Record<Distribution, string> = { latencies: 'latency', first_tokens: 'first_token' };

const bucketSql = (bucket: Bucket, at: string): string => {
  const { ms, ahead } = LENGTHS[bucket];
  return `(${at} + ${ahead}) / ${ms} * ${ms} - ${ahead}`;
};

/** The text of one statement and its values, `$1` being the company. */
class Statement {
  readonly values: unknown[] = [];

  place(value: unknown): string {
    return `$${this.values.push(value) + 1}`;
  }
}

const entrySql = (name: Distribution): string =>
  `CASE WHEN t.${ENTRIES[name]} IS NULL THEN ''::bytea ELSE int2send(t.${ENTRIES[name]}) || int4send(1) END AS ${name}`;

/**
 * Sums of the rollups of whole hours and days and of the requests in the partial buckets of a span.
 *
 * SQL: sums over roll-ups and partial buckets are one statement each.
 */
@Injectable()
export class Rollups {
  constructor(private readonly db: Database) {}

  /** Folds the recorded requests of a company that are not in its rollups yet. */
  async fold(companyId: number): Promise<void> {
    for (let more = true; more;) {
      const [row] = await this.db.select<{ more: boolean }>(
        companyId,
        'SELECT x.* FROM s, LATERAL (SELECT traffic.fold_rollups(s.company) AS more OFFSET 0) x',
      );
      more = row?.more === true;
    }
  }

  /** The metrics of each bucket and key with requests. */
  async series(companyId: number, wanted: MetricsQuery, bucket: Bucket, grouping: Grouping): Promise<MetricRows> {
    await this.fold(companyId);
    const statement = new Statement();
    const { measures, distributions } = wanted;
    const pieces = spanPartsOf(wanted.span, bucket === 'hour' ? 'hour' : 'day');
    const kind = kindOf(wanted.narrowing, grouping);
    const head = (at: string, ofRows: boolean) => {
      const key = kind === null || ofRows || grouping === 'none' ? KEYS[grouping] : 't.key';
      return `${bucketSql(bucket, at)} AS bucket, ${key} AS key`;
    };
    const sums = [
      ...measures.map(sumSql),
      ...distributions.map((name) => `string_agg(f.${name}, ''::bytea) AS ${name}`),
    ];
    const selects = pieces.map((piece) => {
      const one = unionSql(statement, wanted, [piece], kind, head);
      // A row of a series is a point; several rows of one bucket are added up later.
      if (kind !== null && piece.from === bucket)
        return `SELECT ${['bucket', 'key', ...measures.map(plainSql), ...distributions].join(', ')} FROM (${one}) f`;
      return `SELECT f.bucket, f.key, ${sums.join(', ')} FROM (${one}) f GROUP BY f.bucket, f.key`;
    });
    const [columns] = await this.db.select<Columns>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${columnsSql(measures, distributions)}
         FROM (${selects.join(' UNION ALL ')} LIMIT ${MAX_POINTS + 1}) f OFFSET 0) x`,
      statement.values,
    );
    return rowsOf(columns);
  }

  /** The totals of a span, and the number of sessions with a request in it. */
  async summary(companyId: number, wanted: MetricsQuery): Promise<{ figures: Metrics; sessions: number }> {
    await this.fold(companyId);
    const statement = new Statement();
    const kind = kindOf(wanted.narrowing, 'none');
    const union = unionSql(statement, wanted, spanPartsOf(wanted.span, 'day'), kind, undefined, true);
    const [row] = await this.db.select<Metrics & { sessions: number }>(
      companyId,
      `SELECT x.*, y.wandering + x.settled AS sessions FROM s, LATERAL (
         SELECT COALESCE(sum(f.settled), 0)::bigint AS settled, ${wanted.measures.map(sumSql).join(', ')}
         FROM (${union}) f OFFSET 0) x,
       LATERAL (SELECT count(*) AS wandering FROM (${sessionsSql(statement, wanted, kind)}) u OFFSET 0) y`,
      statement.values,
    );
    return { figures: { ...NONE, ...row }, sessions: row?.sessions ?? 0 };
  }
}

const plainSql = (name: Measure): string => (name === 'cost' ? 'f.cost::float8 AS cost' : `f.${name}`);
const sumSql = (name: Measure): string =>
  `COALESCE(sum(f.${name}), 0)::${name === 'cost' ? 'float8' : 'bigint'} AS ${name}`;

function conditionsOf(statement: Statement, narrowing: AnalyticsFilter): string {
  const { request_type: type } = narrowing;
  const equal = EQUAL.filter((name) => narrowing[name] !== undefined).map(
    (name) => `t.${name} = ${statement.place(narrowing[name])}`,
  );
  if (type === undefined) equal.push(BY_DEFAULT);
  else if (type !== 'any') equal.push(`t.request_type = ${statement.place(type)}`);
  return ['t.company_id = s.company', ...equal].join(' AND ');
}

function withinSql(statement: Statement, at: string, { start, end }: Span): string {
  return `t.${at} >= ${statement.place(start)} AND t.${at} < ${statement.place(end)}`;
}

/** Groups by what few requests have; the totals include the requests without it, which have no series. */
const isOfCombinations = (grouping: Grouping): grouping is 'agent' | 'release' | 'workflow' =>
  grouping === 'agent' || grouping === 'release' || grouping === 'workflow';

/** The kind of series that serves the query; null for filters of two dimensions, or by type. */
function kindOf(narrowing: AnalyticsFilter, grouping: Grouping): string | null {
  if (narrowing.request_type !== undefined) return null;
  const kinds = new Set(EQUAL.filter((name) => narrowing[name] !== undefined).map((name) => KINDS[name]));
  if (isOfCombinations(grouping)) return null;
  if (grouping !== 'none') kinds.add(grouping);
  const [kind = 'all', ...others] = kinds;
  return others.length > 0 ? null : kind;
}

function conditionsInSeries(statement: Statement, narrowing: AnalyticsFilter, kind: string): string {
  const given = EQUAL.filter((name) => narrowing[name] !== undefined).map(
    (name) => `t.key = ${statement.place(String(narrowing[name]))}`,
  );
  return [`t.company_id = s.company AND t.kind = '${kind}'`, ...given].join(' AND ');
}

/** The union of all parts of a span. */
function unionSql(
  statement: Statement,
  { narrowing, measures, distributions }: MetricsQuery,
  pieces: readonly SpanPart[],
  kind: string | null,
  head?: (at: string, ofRows: boolean) => string,
  settled = false,
): string {
  // Every parameter has to be used, because Postgres has to infer its type.
  const conditionsIn = (ofRows: boolean): string =>
    ofRows || kind === null ? conditionsOf(statement, narrowing) : conditionsInSeries(statement, narrowing, kind);
  const table = kind === null ? 'traffic.request_rollups' : 'traffic.request_series';
  const counts = measures.map((name) => `t.${name}`);
  const selects = pieces.map(({ from, ...span }) => {
    const ofRows = from === 'rows';
    const at = ofRows ? 'date_created' : 'starts';
    const sessions = kind === null ? 't.settled' : 't.sessions AS settled';
    const fields = [
      ...(head ? [head(`t.${at}`, ofRows)] : []),
      ...counts,
      ...distributions.map((name) => (ofRows ? entrySql(name) : `t.${name}`)),
      ...(settled ? [ofRows ? '0 AS settled' : sessions] : []),
    ];
    const within = `${conditionsIn(ofRows)} AND ${withinSql(statement, at, span)}`;
    return ofRows
      ? `SELECT ${fields.join(', ')} FROM traffic.measured_requests t WHERE ${within}`
      : `SELECT ${fields.join(', ')} FROM ${table} t WHERE ${within} AND t.unit = '${from}'`;
  });
  return selects.join(' UNION ALL ');
}

/** Sessions with a request in the span that no whole hour or day of it counts, each once. */
function sessionsSql(statement: Statement, { span, narrowing }: MetricsQuery, kind: string | null): string {
  const conditions = conditionsOf(statement, narrowing);
  const pieces = spanPartsOf(span, kind === null ? 'hour' : 'day');
  const selects = pieces.map(({ from, ...piece }) => {
    if (from === 'rows')
      return `SELECT t.session_id FROM traffic.measured_requests t
        WHERE ${conditions} AND t.session_id IS NOT NULL AND ${withinSql(statement, 'date_created', piece)}`;
    // The series of a day count the sessions that have several places within it.
    const uncounted = from === 'day' ? ' AND t.crosses' : '';
    return `SELECT t.session_id FROM traffic.wandering_places t
      WHERE ${conditions}${uncounted} AND ${withinSql(statement, 'starts', piece)}`;
  });
  return selects.join(' UNION ');
}
