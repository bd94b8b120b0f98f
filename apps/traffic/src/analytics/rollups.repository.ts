import { Injectable } from '@nestjs/common';
import type { AnalyticsQuery, Bucket, Grouping } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { type Distribution, type Figures, type Measure, NONE } from './figures.js';
import { type BucketRow, MAX_POINTS } from './series.js';
import { LENGTHS, type Piece, piecesOf, type Span, wholeHours } from './time-buckets.js';

/** What narrows figures down; without a type, requests that people or agents made. */
export type Narrowing = Pick<
  Partial<AnalyticsQuery>,
  'application_id' | 'intent_id' | 'intent_group_id' | 'agent_id' | 'model'
> & { request_type?: AnalyticsQuery['request_type'] | 'any' };

/** Which figures are wanted of a span. */
export interface Wanted {
  span: Span;
  narrowing: Narrowing;
  measures: readonly Measure[];
  distributions: readonly Distribution[];
}

const EQUAL = ['application_id', 'intent_id', 'intent_group_id', 'agent_id', 'model'] as const;
const BY_DEFAULT = `t.request_type IN ('PROD', 'MANUAL')`;
const KEYS: Record<Grouping, string> = {
  none: `'all'`,
  application: 't.application_id::text',
  intent: 't.intent_id::text',
  intent_group: 't.intent_group_id::text',
  model: 't.model',
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

/** Sums of the rollups of whole hours and days and of the requests at the ragged ends of a span. */
@Injectable()
export class Rollups {
  constructor(private readonly db: Database) {}

  /** The figures of each bucket and key in which there is anything. */
  async series(companyId: number, wanted: Wanted, bucket: Bucket, grouping: Grouping): Promise<BucketRow[]> {
    const statement = new Statement();
    const { measures, distributions } = wanted;
    const pieces = piecesOf(wanted.span, bucket === 'hour' ? 'hour' : 'day');
    const head = (at: string) => `${bucketSql(bucket, at)} AS bucket, ${KEYS[grouping]} AS key`;
    const union = unionSql(statement, wanted, pieces, head);
    const sketches = distributions.map((name) => `string_agg(f.${name}, ''::bytea) AS ${name}`);
    const rows = await this.db.select<Figures & Pick<BucketRow, 'bucket' | 'key'>>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT f.bucket, f.key, ${[...measures.map(sumSql), ...sketches].join(', ')}
         FROM (${union}) f GROUP BY f.bucket, f.key LIMIT ${MAX_POINTS + 1} OFFSET 0) x`,
      statement.values,
    );
    return rows.map(({ bucket: at, key, ...figures }) => ({ bucket: at, key, figures: { ...NONE, ...figures } }));
  }

  /** The figures of a span as a whole, and how many sessions had a request in it. */
  async summary(companyId: number, wanted: Wanted): Promise<{ figures: Figures; sessions: number }> {
    const statement = new Statement();
    const union = unionSql(statement, wanted, piecesOf(wanted.span, 'day'), undefined, true);
    const [row] = await this.db.select<Figures & { sessions: number }>(
      companyId,
      `SELECT x.*, y.wandering + x.settled AS sessions FROM s, LATERAL (
         SELECT COALESCE(sum(f.settled), 0)::bigint AS settled, ${wanted.measures.map(sumSql).join(', ')}
         FROM (${union}) f OFFSET 0) x,
       LATERAL (SELECT count(*) AS wandering FROM (${sessionsSql(statement, wanted)}) u OFFSET 0) y`,
      statement.values,
    );
    return { figures: { ...NONE, ...row }, sessions: row?.sessions ?? 0 };
  }
}

const sumSql = (name: Measure): string =>
  `COALESCE(sum(f.${name}), 0)::${name === 'cost' ? 'float8' : 'bigint'} AS ${name}`;

function conditionsOf(statement: Statement, narrowing: Narrowing): string {
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

/** What all pieces of a span have to say, one below the other. */
function unionSql(
  statement: Statement,
  { narrowing, measures, distributions }: Wanted,
  pieces: readonly Piece[],
  head?: (at: string) => string,
  settled = false,
): string {
  const conditions = conditionsOf(statement, narrowing);
  const counts = measures.map((name) => `t.${name}`);
  const selects = pieces.map(({ from, ...span }) => {
    const ofRows = from === 'rows';
    const at = ofRows ? 'date_created' : 'starts';
    const fields = [
      ...(head ? [head(`t.${at}`)] : []),
      ...counts,
      ...distributions.map((name) => (ofRows ? entrySql(name) : `t.${name}`)),
      ...(settled ? [ofRows ? '0 AS settled' : 't.settled'] : []),
    ];
    const table = ofRows ? 'traffic.measured_requests' : 'traffic.request_rollups';
    const unit = ofRows ? '' : ` AND t.unit = '${from}'`;
    return `SELECT ${fields.join(', ')} FROM ${table} t WHERE ${conditions}${unit} AND ${withinSql(statement, at, span)}`;
  });
  return selects.join(' UNION ALL ');
}

/** Sessions that are settled in no whole hour of the span and yet have a request in it, each once. */
function sessionsSql(statement: Statement, { span, narrowing }: Wanted): string {
  const conditions = conditionsOf(statement, narrowing);
  const ragged = piecesOf(span, 'hour').filter(({ from }) => from === 'rows');
  const ofRows = ragged.map(
    (piece) => `SELECT t.session_id FROM traffic.measured_requests t
      WHERE ${conditions} AND t.session_id IS NOT NULL AND ${withinSql(statement, 'date_created', piece)}`,
  );
  const wandering = `SELECT t.session_id FROM traffic.wandering_places t
    WHERE ${conditions} AND ${withinSql(statement, 'starts', wholeHours(span))}`;
  return [...ofRows, wandering].join(' UNION ');
}
