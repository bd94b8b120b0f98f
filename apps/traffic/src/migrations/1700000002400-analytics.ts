import { protect, rolesOf } from '@signalbox/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const SERVICE = 'traffic';
const { owner, runtime } = rolesOf(SERVICE);

/** What figures can be narrowed to and grouped by; together with an hour or a day, one row of the rollups. */
const PLACE = {
  application_id: 'int',
  intent_id: 'int',
  intent_group_id: 'int',
  agent_id: 'int',
  model: 'text NOT NULL',
  request_type: 'text NOT NULL',
};
const NAMES = Object.keys(PLACE);
const place = (of = ''): string => NAMES.map((name) => `${of}${name}`).join(', ');

/** What is counted of a request `r`. */
const MEASURES: Record<string, string> = {
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
const COUNTED = Object.keys(MEASURES);
const SUMMED = [...COUNTED, 'settled'];
const SKETCHES = ['latencies', 'first_tokens'];

const measured = `r.company_id, r.session_id, r.date_created, ${place('r.')},
  ${Object.entries(MEASURES)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(', ')},
  traffic.latency_bin(r.response_time_ms) AS latency, traffic.latency_bin(r.first_token_time_ms) AS first_token`;

const HOUR = '3600000';
const hourOf = (at: string): string => `${at} / ${HOUR} * ${HOUR}`;
const same = (one: string, other: string): string =>
  `(${one}.starts, ${place(`${one}.`)}) IS NOT DISTINCT FROM (${other}.starts, ${place(`${other}.`)})`;
const columns = NAMES.map((name) => `${name} ${PLACE[name as keyof typeof PLACE]}`).join(', ');

const tables = [
  `CREATE TABLE traffic.request_rollups (
    company_id int NOT NULL, unit text NOT NULL CHECK (unit IN ('hour', 'day')), starts bigint NOT NULL, ${columns},
    ${COUNTED.map((name) => `${name} ${name === 'cost' ? 'numeric' : 'bigint'} NOT NULL`).join(', ')},
    -- Sessions that have requests nowhere else.
    settled bigint NOT NULL,
    ${SKETCHES.map((name) => `${name} bytea NOT NULL`).join(', ')}
  ) WITH (fillfactor = 70)`,
  `CREATE UNIQUE INDEX request_rollups_place ON traffic.request_rollups
    (company_id, unit, starts, ${place()}) NULLS NOT DISTINCT`,
  // Where a session is as long as it is in one place; a session that was in several wanders.
  `CREATE TABLE traffic.session_places (
    company_id int NOT NULL, session_id text NOT NULL, starts bigint NOT NULL, ${columns}, wanders boolean NOT NULL,
    PRIMARY KEY (company_id, session_id)
  ) WITH (fillfactor = 80)`,
  `CREATE TABLE traffic.wandering_places (
    company_id int NOT NULL, session_id text NOT NULL, starts bigint NOT NULL, ${columns}
  )`,
  `CREATE UNIQUE INDEX wandering_places_place ON traffic.wandering_places
    (company_id, session_id, starts, ${place()}) NULLS NOT DISTINCT`,
  `CREATE INDEX wandering_places_hours ON traffic.wandering_places (company_id, starts)`,
  ...['request_rollups', 'session_places', 'wandering_places'].flatMap((table) => [
    // Rows come in the order of time, and retention takes them in that order again.
    `CREATE INDEX ${table}_age ON traffic.${table} USING brin (starts)`,
    ...protect(SERVICE, table),
    `CREATE POLICY retention ON traffic.${table} TO ${owner} USING (true)`,
  ]),
];

/** Latencies in bins that are two per cent wide: the middle of a bin is within one per cent of all that is in it. */
const functions = [
  `CREATE FUNCTION traffic.latency_bin(ms int) RETURNS smallint LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN ms <= 0 THEN 0 ELSE 1 + ceil(ln(ms::float8) / ln(1.02::float8)) END::smallint $$`,
  // A sketch is a row of six bytes per entry: a bin, and by how much its count changes.
  `CREATE FUNCTION traffic.joined_sketch(one bytea, other bytea) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN length(one) + length(other) <= 8192 THEN one || other ELSE (
      SELECT COALESCE(string_agg(int2send(bin::smallint) || int4send(n::int), ''::bytea ORDER BY bin), ''::bytea) FROM (
        SELECT get_byte(s, at) << 8 | get_byte(s, at + 1) AS bin,
          sum(get_byte(s, at + 2) << 24 | get_byte(s, at + 3) << 16 | get_byte(s, at + 4) << 8 | get_byte(s, at + 5)) AS n
        FROM (SELECT one || other AS s) j, generate_series(0, length(one) + length(other) - 6, 6) at
        GROUP BY 1
      ) b WHERE n <> 0) END $$`,
];

/** Adds what has changed to the rollups; rows are locked in one order, so that writers never wait in a circle. */
const rollUp = (changed: string, sessions: string[], settled: string): string => `
  WITH changed AS MATERIALIZED (${changed}), ${sessions.map((step) => `${step}, `).join('')}settled AS (${settled})
  INSERT INTO traffic.request_rollups AS t (company_id, unit, starts, ${place()}, ${SUMMED.join(', ')}, ${SKETCHES.join(', ')})
  SELECT f.company_id, u.unit, f.starts / u.ms * u.ms AS starts, ${place('f.')}, ${SUMMED.map((name) => `sum(f.${name})`).join(', ')},
    ${['latency', 'first_token']
      .map(
        (bin) => `COALESCE(string_agg(int2send(f.${bin}) || int4send(f.n::int), ''::bytea)
          FILTER (WHERE f.${bin} IS NOT NULL AND f.n <> 0), ''::bytea)`,
      )
      .join(', ')}
  FROM (
    SELECT company_id, ${hourOf('date_created')} AS starts, ${place()}, latency, first_token, sum(sign) AS n,
      ${COUNTED.map((name) => `sum(sign * ${name}) AS ${name}`).join(', ')}, 0 AS settled
    FROM changed GROUP BY company_id, 2, ${place()}, latency, first_token
    UNION ALL
    SELECT company_id, starts, ${place()}, NULL, NULL, 0, ${COUNTED.map(() => '0').join(', ')}, delta FROM settled
  ) f CROSS JOIN (VALUES ('hour', ${HOUR}::bigint), ('day', 86400000)) u(unit, ms)
  GROUP BY f.company_id, u.unit, 3, ${place('f.')}
  HAVING ${SUMMED.map((name) => `sum(f.${name}) <> 0`).join(' OR ')}
  ORDER BY f.company_id, u.unit, 3, ${place('f.')}
  ON CONFLICT (company_id, unit, starts, ${place()}) DO UPDATE SET
    ${SUMMED.map((name) => `${name} = t.${name} + EXCLUDED.${name}`).join(', ')},
    ${SKETCHES.map((name) => `${name} = traffic.joined_sketch(t.${name}, EXCLUDED.${name})`).join(', ')};`;

const places = `places AS (SELECT DISTINCT company_id, session_id, ${hourOf('date_created')} AS starts, ${place()}
  FROM changed WHERE session_id IS NOT NULL)`;

/** New requests: those of sessions settle their session where it is, or make it one that wanders. */
const counted = (rows: string): string =>
  rollUp(
    `SELECT 1 AS sign, ${measured} FROM ${rows} r`,
    [
      places,
      `marked AS (
        INSERT INTO traffic.session_places AS t (company_id, session_id, starts, ${place()}, wanders)
        SELECT DISTINCT ON (company_id, session_id) company_id, session_id, starts, ${place()},
          count(*) OVER (PARTITION BY company_id, session_id) > 1
        FROM places ORDER BY company_id, session_id, starts DESC
        ON CONFLICT (company_id, session_id) DO UPDATE SET wanders = true, starts = GREATEST(t.starts, EXCLUDED.starts)
          WHERE t.wanders OR EXCLUDED.wanders OR NOT ${same('t', 'EXCLUDED')}
        -- Inside of a trigger, the usual names of old and new rows mean something else.
        RETURNING WITH (OLD AS was) t.*, was.starts AS old_starts,
          ${NAMES.map((name) => `was.${name} AS old_${name}`).join(', ')}, was.wanders AS wandered)`,
      `listed AS (
        INSERT INTO traffic.wandering_places (company_id, session_id, starts, ${place()})
        SELECT company_id, session_id, p.starts, ${place('p.')} FROM places p JOIN marked m USING (company_id, session_id)
        WHERE m.wanders
        UNION SELECT company_id, session_id, old_starts, ${place('old_')} FROM marked WHERE wanders AND NOT wandered
        ON CONFLICT DO NOTHING)`,
    ],
    `SELECT company_id, starts, ${place()}, 1 AS delta FROM marked WHERE NOT wanders
     UNION ALL SELECT company_id, old_starts, ${place('old_')}, -1 FROM marked WHERE wanders AND NOT wandered`,
  );

const corrected = rollUp(
  `SELECT 1 AS sign, ${measured} FROM fresh r UNION ALL SELECT -1, ${measured} FROM former r`,
  [],
  `SELECT company_id, date_created AS starts, ${place()}, 0 AS delta FROM changed WHERE false`,
);

const ofPlace = (table: string): string =>
  `${table}.company_id = p.company_id AND ${table}.session_id = p.session_id AND ${same(table, 'p')}`;

/** Deleted rows: where nothing of a session is left, it was not. */
const uncounted = `${rollUp(
  `SELECT -1 AS sign, ${measured} FROM former r`,
  [
    places,
    `lost AS (SELECT p.* FROM places p WHERE NOT EXISTS (SELECT 1 FROM traffic.requests r
      WHERE r.company_id = p.company_id AND r.session_id = p.session_id
        AND r.date_created >= p.starts AND r.date_created < p.starts + ${HOUR}
        AND (${place('r.')}) IS NOT DISTINCT FROM (${place('p.')})))`,
    `unmarked AS (DELETE FROM traffic.session_places t USING lost p WHERE NOT t.wanders AND ${ofPlace('t')} RETURNING t.*)`,
    `unlisted AS (DELETE FROM traffic.wandering_places t USING lost p WHERE ${ofPlace('t')})`,
  ],
  `SELECT company_id, starts, ${place()}, -1 AS delta FROM unmarked`,
)}
  DELETE FROM traffic.session_places t USING (SELECT DISTINCT company_id, session_id FROM former) f
  WHERE t.company_id = f.company_id AND t.session_id = f.session_id AND t.wanders
    AND NOT EXISTS (SELECT 1 FROM traffic.wandering_places w WHERE w.company_id = t.company_id AND w.session_id = t.session_id);
  DELETE FROM traffic.request_rollups t USING (
    SELECT DISTINCT company_id, u.unit, date_created / u.ms * u.ms AS starts
    FROM former CROSS JOIN (VALUES ('hour', ${HOUR}::bigint), ('day', 86400000)) u(unit, ms)) f
  WHERE t.company_id = f.company_id AND t.unit = f.unit AND t.starts = f.starts AND t.recorded = 0;`;

const trigger = (name: string, event: string, referencing: string, body: string): string[] => [
  `CREATE FUNCTION traffic.${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body} RETURN NULL; END $$`,
  `CREATE TRIGGER ${name} AFTER ${event} ON traffic.requests REFERENCING ${referencing}
    FOR EACH STATEMENT EXECUTE FUNCTION traffic.${name}()`,
];

const triggers = [
  ...trigger('roll_up_inserted', 'INSERT', 'NEW TABLE AS fresh', counted('fresh')),
  ...trigger('roll_up_updated', 'UPDATE', 'OLD TABLE AS former NEW TABLE AS fresh', corrected),
  ...trigger('roll_up_deleted', 'DELETE', 'OLD TABLE AS former', uncounted),
];

const ofTheDay = 'starts >= begins AND starts < begins + 86400000';
const dropPartition = `CREATE OR REPLACE FUNCTION traffic.drop_request_partition(day date) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s' AS $$
  DECLARE
    name text := 'requests_' || to_char(day, 'YYYYMMDD');
    begins bigint := extract(epoch FROM day)::bigint * 1000;
  BEGIN
    IF day >= (now() AT TIME ZONE 'UTC')::date THEN
      RAISE EXCEPTION 'the day % is not over', day;
    END IF;
    IF to_regclass('traffic.' || name) IS NULL THEN
      RETURN;
    END IF;
    -- No figure outlives the requests it was made from.
    DELETE FROM traffic.request_rollups WHERE ${ofTheDay};
    DELETE FROM traffic.wandering_places WHERE ${ofTheDay};
    DELETE FROM traffic.session_places t WHERE ${ofTheDay} AND NOT EXISTS (
      SELECT 1 FROM traffic.wandering_places w WHERE w.company_id = t.company_id AND w.session_id = t.session_id);
    EXECUTE format('DROP TABLE traffic.%I', name);
  END $$`;

const requests = [
  `ALTER TABLE traffic.requests ADD COLUMN agent_id int`,
  `CREATE INDEX requests_time ON traffic.requests (company_id, date_created)`,
  // Requests at the ragged ends of a span are measured as the rollups measure them.
  `CREATE VIEW traffic.measured_requests WITH (security_invoker = true) AS SELECT ${measured} FROM traffic.requests r`,
  `GRANT SELECT ON traffic.measured_requests TO ${runtime}`,
];

/** What was recorded before: the calls of agents named their agent in the metadata that the agents service gave them. */
const backfill = [
  `ALTER TABLE traffic.requests NO FORCE ROW LEVEL SECURITY`,
  `UPDATE traffic.requests SET agent_id = (metadata->>'agent_id')::int
    WHERE metadata->>'agent_id' ~ '^[1-9][0-9]{0,8}$' AND reference_id LIKE (metadata->>'task_id') || '/%'`,
  ...['request_rollups', 'session_places', 'wandering_places'].flatMap((table) => [
    `ALTER TABLE traffic.${table} NO FORCE ROW LEVEL SECURITY`,
  ]),
  counted('traffic.requests'),
  ...['requests', 'request_rollups', 'session_places', 'wandering_places'].map(
    (table) => `ALTER TABLE traffic.${table} FORCE ROW LEVEL SECURITY`,
  ),
];

/** Figures of requests by hour and day, which every statement that writes requests keeps right. */
export class Analytics1700000002400 implements MigrationInterface {
  readonly name = 'Analytics1700000002400';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...functions, ...requests, ...tables, ...backfill, ...triggers, dropPartition])
      await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ['inserted', 'updated', 'deleted']) {
      await runner.query(`DROP TRIGGER roll_up_${name} ON traffic.requests`);
      await runner.query(`DROP FUNCTION traffic.roll_up_${name}()`);
    }
    await runner.query(`CREATE OR REPLACE FUNCTION traffic.drop_request_partition(day date) RETURNS void
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s' AS $$
      BEGIN
        IF day >= (now() AT TIME ZONE 'UTC')::date THEN
          RAISE EXCEPTION 'the day % is not over', day;
        END IF;
        EXECUTE format('DROP TABLE IF EXISTS traffic.%I', 'requests_' || to_char(day, 'YYYYMMDD'));
      END $$`);
    await runner.query('DROP VIEW traffic.measured_requests');
    await runner.query('DROP TABLE traffic.request_rollups, traffic.session_places, traffic.wandering_places');
    await runner.query('DROP FUNCTION traffic.joined_sketch(bytea, bytea)');
    await runner.query('DROP FUNCTION traffic.latency_bin(int)');
    await runner.query('DROP INDEX traffic.requests_time');
    await runner.query('ALTER TABLE traffic.requests DROP COLUMN agent_id');
  }
}
