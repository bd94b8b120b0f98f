import type { AnalyticsQuery, Bucket, Grouping } from '@signalbox/contracts';
import { composed, readStatement } from '@signalbox/database';
import { columnsSql } from './columns.js';
import type { Distribution, Measure } from './metrics.js';
import { MODEL_USAGE, SUMMARY } from './points.js';
import { MAX_POINTS } from './series.js';
import { LENGTHS, type Span, type SpanPart, spanPartsOf } from './time-buckets.js';

/** Without a type, requests of people and agents. */
export type AnalyticsFilter = Pick<
  Partial<AnalyticsQuery>,
  'application_id' | 'intent_id' | 'intent_group_id' | 'agent_id' | 'model'
> & { request_type?: AnalyticsQuery['request_type'] | 'any' };

/** Deleted requests are not counted. */
export interface RequestCount {
  span: Span;
  narrowing: AnalyticsFilter;
}

export interface MetricsQuery {
  span: Span;
  narrowing: AnalyticsFilter;
  measures: readonly Measure[];
  distributions: readonly Distribution[];
}

const EQUAL = ['application_id', 'intent_id', 'intent_group_id', 'agent_id', 'model'] as const;
const BY_DEFAULT = `t.request_type IN ('PROD', 'MANUAL')`;
/** The precomputed series with a row of metrics per value of one dimension, for requests of people and agents. */
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
const ENTRIES: Record<Distribution, string> = { latencies: 'latency', first_tokens: 'first_token' };

const bucketSql = (bucket: Bucket, at: string): string => {
  const { ms, ahead } = LENGTHS[bucket];
  return `(${at} + ${ahead}) / ${ms} * ${ms} - ${ahead}`;
};

/** Values of a statement in the order of its parameters; `$1` is the company. */
class Parameters {
  readonly values: unknown[] = [];

  place(value: unknown): string {
    return `$${this.values.push(value) + 1}`;
  }
}

const entrySql = (name: Distribution): string =>
  `CASE WHEN t.${ENTRIES[name]} IS NULL THEN ''::bytea ELSE int2send(t.${ENTRIES[name]}) || int4send(1) END AS ${name}`;

const plainSql = (name: Measure): string => (name === 'cost' ? 'f.cost::float8 AS cost' : `f.${name}`);
const sumSql = (name: Measure): string =>
  `COALESCE(sum(f.${name}), 0)::${name === 'cost' ? 'float8' : 'bigint'} AS ${name}`;

function conditionsOf(parameters: Parameters, narrowing: AnalyticsFilter): string {
  const { request_type: type } = narrowing;
  const equal = EQUAL.filter((name) => narrowing[name] !== undefined).map(
    (name) => `t.${name} = ${parameters.place(narrowing[name])}`,
  );
  if (type === undefined) equal.push(BY_DEFAULT);
  else if (type !== 'any') equal.push(`t.request_type = ${parameters.place(type)}`);
  return ['t.company_id = s.company', ...equal].join(' AND ');
}

function withinSql(parameters: Parameters, at: string, { start, end }: Span): string {
  return `t.${at} >= ${parameters.place(start)} AND t.${at} < ${parameters.place(end)}`;
}

/** Few requests have these values. The totals include the requests without one, which have no series. */
const isOfCombinations = (grouping: Grouping): grouping is 'agent' | 'release' | 'workflow' =>
  grouping === 'agent' || grouping === 'release' || grouping === 'workflow';

/** Null for filters of two dimensions, or by type: no precomputed series serves them. */
function kindOf(narrowing: AnalyticsFilter, grouping: Grouping): string | null {
  if (narrowing.request_type !== undefined) return null;
  const kinds = new Set(EQUAL.filter((name) => narrowing[name] !== undefined).map((name) => KINDS[name]));
  if (isOfCombinations(grouping)) return null;
  if (grouping !== 'none') kinds.add(grouping);
  const [kind = 'all', ...others] = kinds;
  return others.length > 0 ? null : kind;
}

function conditionsInSeries(parameters: Parameters, narrowing: AnalyticsFilter, kind: string): string {
  const given = EQUAL.filter((name) => narrowing[name] !== undefined).map(
    (name) => `t.key = ${parameters.place(String(narrowing[name]))}`,
  );
  return [`t.company_id = s.company AND t.kind = '${kind}'`, ...given].join(' AND ');
}

function unionSql(
  parameters: Parameters,
  { narrowing, measures, distributions }: MetricsQuery,
  pieces: readonly SpanPart[],
  kind: string | null,
  head?: (at: string, ofRows: boolean) => string,
  settled = false,
): string {
  // Every parameter has to be used, because Postgres has to infer its type.
  const conditionsIn = (ofRows: boolean): string =>
    ofRows || kind === null ? conditionsOf(parameters, narrowing) : conditionsInSeries(parameters, narrowing, kind);
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
    const within = `${conditionsIn(ofRows)} AND ${withinSql(parameters, at, span)}`;
    return ofRows
      ? `SELECT ${fields.join(', ')} FROM traffic.measured_requests t WHERE ${within}`
      : `SELECT ${fields.join(', ')} FROM ${table} t WHERE ${within} AND t.unit = '${from}'`;
  });
  return selects.join(' UNION ALL ');
}

/** Sessions with a request in the span that the rollups of whole hours and days do not count, each once. */
function sessionsSql(parameters: Parameters, { span, narrowing }: MetricsQuery, kind: string | null): string {
  const conditions = conditionsOf(parameters, narrowing);
  const pieces = spanPartsOf(span, kind === null ? 'hour' : 'day');
  const selects = pieces.map(({ from, ...piece }) => {
    if (from === 'rows')
      return `SELECT t.session_id FROM traffic.measured_requests t
        WHERE ${conditions} AND t.session_id IS NOT NULL AND ${withinSql(parameters, 'date_created', piece)}`;
    // The series of a day count the sessions whose requests of that day have several places.
    const uncounted = from === 'day' ? ' AND t.crosses' : '';
    return `SELECT t.session_id FROM traffic.wandering_places t
      WHERE ${conditions}${uncounted} AND ${withinSql(parameters, 'starts', piece)}`;
  });
  return selects.join(' UNION ');
}

type SeriesParts = [wanted: MetricsQuery, bucket: Bucket, grouping: Grouping];

interface Composition {
  text: string;
  values: unknown[];
}

function seriesSql(...[wanted, bucket, grouping]: SeriesParts): Composition {
  const parameters = new Parameters();
  const { measures, distributions } = wanted;
  const pieces = spanPartsOf(wanted.span, bucket === 'hour' ? 'hour' : 'day');
  const kind = kindOf(wanted.narrowing, grouping);
  const head = (at: string, ofRows: boolean) => {
    const key = kind === null || ofRows || grouping === 'none' ? KEYS[grouping] : 't.key';
    return `${bucketSql(bucket, at)} AS bucket, ${key} AS key`;
  };
  const sums = [...measures.map(sumSql), ...distributions.map((name) => `string_agg(f.${name}, ''::bytea) AS ${name}`)];
  const selects = pieces.map((piece) => {
    const one = unionSql(parameters, wanted, [piece], kind, head);
    // A row of a series is a point; several rows of one bucket are added up later.
    if (kind !== null && piece.from === bucket)
      return `SELECT ${['bucket', 'key', ...measures.map(plainSql), ...distributions].join(', ')} FROM (${one}) f`;
    return `SELECT f.bucket, f.key, ${sums.join(', ')} FROM (${one}) f GROUP BY f.bucket, f.key`;
  });
  const text = `SELECT x.* FROM s, LATERAL (SELECT ${columnsSql(measures, distributions)}
    FROM (${selects.join(' UNION ALL ')} LIMIT ${MAX_POINTS + 1}) f OFFSET 0) x`;
  return { text, values: parameters.values };
}

function summarySql(wanted: MetricsQuery): Composition {
  const parameters = new Parameters();
  const kind = kindOf(wanted.narrowing, 'none');
  const union = unionSql(parameters, wanted, spanPartsOf(wanted.span, 'day'), kind, undefined, true);
  const text = `SELECT x.*, y.wandering + x.settled AS sessions FROM s, LATERAL (
      SELECT COALESCE(sum(f.settled), 0)::bigint AS settled, ${wanted.measures.map(sumSql).join(', ')}
      FROM (${union}) f OFFSET 0) x,
    LATERAL (SELECT count(*) AS wandering FROM (${sessionsSql(parameters, wanted, kind)}) u OFFSET 0) y`;
  return { text, values: parameters.values };
}

const countedIn = (kind: string | null): string => (kind === null ? 'request_rollups_place' : 'request_series_key');

const WEEK: Span = { start: 1, end: 604_800_001 };
const narrowed = (narrowing: AnalyticsFilter): MetricsQuery => ({ span: WEEK, narrowing, ...MODEL_USAGE });
const EVERY: AnalyticsFilter = { application_id: 1, intent_id: 1, intent_group_id: 1, agent_id: 1, model: 'm' };
const NARROWINGS: AnalyticsFilter[] = [
  {},
  ...EQUAL.map((name) => ({ [name]: EVERY[name] })),
  EVERY,
  { request_type: 'any' },
  { ...EVERY, request_type: 'TEST' },
];

export const SERIES = composed(
  (...parts: SeriesParts) =>
    readStatement(
      { index: [countedIn(kindOf(parts[0].narrowing, parts[2])), 'requests_time'] },
      seriesSql(...parts).text,
    ),
  ...NARROWINGS.flatMap((narrowing): SeriesParts[] => [
    [narrowed(narrowing), 'hour', 'none'],
    [narrowed(narrowing), 'day', 'none'],
  ]),
  ...(Object.keys(KEYS) as Grouping[]).flatMap((grouping): SeriesParts[] => [
    [narrowed({}), 'week', grouping],
    [narrowed(EVERY), 'week', grouping],
  ]),
);

export const seriesValues = (...parts: SeriesParts): unknown[] => seriesSql(...parts).values;

export const TOTALS = composed(
  (wanted: MetricsQuery) => {
    const kind = kindOf(wanted.narrowing, 'none');
    const sessions = kind === null ? [] : ['wandering_places_crossing'];
    return readStatement(
      { index: [countedIn(kind), 'requests_time', 'wandering_places_hours', ...sessions] },
      summarySql(wanted).text,
    );
  },
  ...NARROWINGS.map((narrowing): [MetricsQuery] => [{ span: WEEK, narrowing, ...SUMMARY }]),
);

export const totalsValues = (wanted: MetricsQuery): unknown[] => summarySql(wanted).values;

function countSql({ span, narrowing }: RequestCount): Composition {
  const parameters = new Parameters();
  const wanted: MetricsQuery = { span, narrowing, measures: ['recorded', 'deleted'], distributions: [] };
  const union = unionSql(parameters, wanted, spanPartsOf(span, 'day'), kindOf(narrowing, 'none'));
  const text = `SELECT x.* FROM s, LATERAL (
    SELECT COALESCE(sum(f.recorded - f.deleted), 0)::bigint AS total FROM (${union}) f OFFSET 0) x`;
  return { text, values: parameters.values };
}

export const COUNT = composed(
  (wanted: RequestCount) =>
    readStatement({ index: [countedIn(kindOf(wanted.narrowing, 'none')), 'requests_time'] }, countSql(wanted).text),
  ...NARROWINGS.map((narrowing): [RequestCount] => [{ span: WEEK, narrowing }]),
);

export const countValues = (wanted: RequestCount): unknown[] => countSql(wanted).values;

export const FOLD = readStatement(
  { index: null },
  'SELECT x.* FROM s, LATERAL (SELECT traffic.fold_rollups(s.company) AS more OFFSET 0) x',
);
