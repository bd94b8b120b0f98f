import { rolesOf } from '@signalbox/database';

export const SERVICE = 'traffic';
export const { owner, runtime } = rolesOf(SERVICE);

/** The columns of the dimensions by which metrics are filtered and grouped, with their types. */
type Dimensions = Readonly<Record<string, string>>;

/** The dimensions of the first rollups. */
export const DIMENSIONS: Dimensions = {
  application_id: 'int',
  intent_id: 'int',
  intent_group_id: 'int',
  agent_id: 'int',
  model: 'text NOT NULL',
  request_type: 'text NOT NULL',
};
/** The dimensions since requests record what called the model for which release. */
export const RELEASE_DIMENSIONS: Dimensions = { ...DIMENSIONS, workflow_id: 'int', release: 'text' };

/** The columns of dimensions in statements; with an hour or a day they identify one row of the rollups, its place. */
export class Place {
  private readonly names: readonly string[];

  constructor(private readonly dimensions: Dimensions) {
    this.names = Object.keys(dimensions);
  }

  list(of = ''): string {
    return this.names.map((name) => `${of}${name}`).join(', ');
  }

  get columns(): string {
    return Object.entries(this.dimensions)
      .map(([name, type]) => `${name} ${type}`)
      .join(', ');
  }

  same(one: string, other: string): string {
    return `(${one}.starts, ${this.list(`${one}.`)}) IS NOT DISTINCT FROM (${other}.starts, ${this.list(`${other}.`)})`;
  }

  /** The measures of a request `r` with its place. */
  get measured(): string {
    return `r.company_id, r.session_id, r.date_created, ${this.list('r.')},
  ${Object.entries(MEASURES)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ')},
  traffic.latency_bin(r.response_time_ms) AS latency, traffic.latency_bin(r.first_token_time_ms) AS first_token`;
  }
}

/** The counters of a request `r`. */
export const MEASURES: Readonly<Record<string, string>> = {
  recorded: '1',
  deleted: '(r.deleted_at IS NOT NULL)::int',
  failed: `(r.status = 'FAILED')::int`,
  fallbacks: 'r.fallback_used::int',
  corrected: '(r.corrected_response IS NOT NULL OR r.correction_applied)::int',
  evaluated: `(r.evaluation_status IN ('PASS', 'FAULT'))::int`,
  faults: `(r.evaluation_status = 'FAULT')::int`,
  errors: `(r.evaluation_status = 'ERROR')::int`,
  prompt_tokens: 'r.prompt_tokens',
  completion_tokens: 'r.completion_tokens',
  total_tokens: 'r.total_tokens',
  priced: '(r.cost IS NOT NULL)::int',
  // Sums of binary fractions depend on their order; those of decimals do not.
  cost: 'COALESCE(r.cost, 0)::numeric',
  timed: '(r.response_time_ms IS NOT NULL)::int',
  response_ms: 'COALESCE(r.response_time_ms, 0)',
};
export const COUNTED = Object.keys(MEASURES);
export const SKETCHES = ['latencies', 'first_tokens'];
export const countedColumns = COUNTED.map((name) => `${name} ${name === 'cost' ? 'numeric' : 'bigint'} NOT NULL`).join(
  ', ',
);
export const sketchColumns = SKETCHES.map((name) => `${name} bytea STORAGE EXTERNAL NOT NULL`).join(', ');

export const HOUR = '3600000';
export const DAY = '86400000';
export const hourOf = (at: string): string => `${at} / ${HOUR} * ${HOUR}`;
export const dayOf = (at: string): string => `${at} / ${DAY} * ${DAY}`;
export const UNITS = `(VALUES ('hour', ${HOUR}::bigint), ('day', ${DAY})) u(unit, ms)`;
/** The kinds of series and their keys, over a place `f`. */
const KEYS = {
  all: `''`,
  application: 'f.application_id::text',
  intent: 'f.intent_id::text',
  intent_group: 'f.intent_group_id::text',
  model: 'f.model',
  agent: 'f.agent_id::text',
};
export const KIND_NAMES = Object.keys(KEYS);
/** The series of the requests of people and agents in a place `f`. */
export const KINDS = `CROSS JOIN LATERAL (VALUES ${Object.entries(KEYS)
  .map(([kind, key]) => `('${kind}', ${key})`)
  .join(', ')}) k(kind, key)`;
export const SHOWN = `f.request_type IN ('PROD', 'MANUAL') AND (k.kind <> 'agent' OR k.key IS NOT NULL)`;

/** Latencies in bins that are two per cent wide: the middle of a bin is within one per cent of its values. */
export const functions = [
  `CREATE FUNCTION traffic.latency_bin(ms int) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN ms <= 0 THEN 0 ELSE 1 + ceil(ln(ms::float8) / ln(1.02::float8)) END::smallint $$`,
  // A sketch is a row of six bytes per entry: a bin, and by how much its count changes. Here each bin has one entry.
  `CREATE FUNCTION traffic.compact_sketch(sketch bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
    WITH s AS MATERIALIZED (SELECT sketch AS b)
    SELECT COALESCE(string_agg(int2send(bin::smallint) || int4send(n::int), ''::bytea ORDER BY bin), ''::bytea) FROM (
      SELECT get_byte(b, at) << 8 | get_byte(b, at + 1) AS bin,
        sum(get_byte(b, at + 2) << 24 | get_byte(b, at + 3) << 16 | get_byte(b, at + 4) << 8 | get_byte(b, at + 5)) AS n
      FROM s, generate_series(0, length(b) - 6, 6) at GROUP BY 1
    ) b WHERE n <> 0 $$`,
  // Short ones are not compacted, which readers support.
  `CREATE FUNCTION traffic.joined_sketch(one bytea, other bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN length(one) + length(other) <= 4096 THEN one || other
      ELSE traffic.compact_sketch(one || other) END $$`,
];
