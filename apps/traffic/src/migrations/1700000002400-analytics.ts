import type { MigrationInterface, QueryRunner } from 'typeorm';
import { recordedIn, recordingOf, triggers } from './rollups/changes.js';
import { foldOf } from './rollups/fold.js';
import { DIMENSIONS, functions, Place, runtime } from './rollups/shape.js';
import { activity, TABLES, tables } from './rollups/tables.js';

const place = new Place(DIMENSIONS);

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
    DELETE FROM traffic.rollup_changes WHERE ${ofTheDay};
    DELETE FROM traffic.request_rollups WHERE ${ofTheDay};
    DELETE FROM traffic.request_series WHERE ${ofTheDay};
    DELETE FROM traffic.wandering_places WHERE ${ofTheDay};
    DELETE FROM traffic.session_places t WHERE ${ofTheDay} AND NOT EXISTS (
      SELECT 1 FROM traffic.wandering_places w WHERE w.company_id = t.company_id AND w.session_id = t.session_id);
    EXECUTE format('DROP TABLE traffic.%I', name);
  END $$`;

const requests = [
  `ALTER TABLE traffic.requests ADD COLUMN agent_id int`,
  `CREATE INDEX requests_time ON traffic.requests (company_id, date_created)`,
  // Requests in the partial buckets of a span are measured like those in the rollups.
  `CREATE VIEW traffic.measured_requests WITH (security_invoker = true) AS SELECT ${place.measured} FROM traffic.requests r`,
  `GRANT SELECT ON traffic.measured_requests TO ${runtime}`,
];

/** Fills in the agent of earlier requests, whose metadata from the agents service contains it. */
const backfill = [
  `ALTER TABLE traffic.requests NO FORCE ROW LEVEL SECURITY`,
  `ALTER TABLE traffic.rollup_changes NO FORCE ROW LEVEL SECURITY`,
  `UPDATE traffic.requests SET agent_id = (metadata->>'agent_id')::int
    WHERE metadata->>'agent_id' ~ '^[1-9][0-9]{0,8}$' AND reference_id LIKE (metadata->>'task_id') || '/%'`,
  recordedIn('traffic.requests', place),
  `ALTER TABLE traffic.rollup_changes FORCE ROW LEVEL SECURITY`,
  `ALTER TABLE traffic.requests FORCE ROW LEVEL SECURITY`,
];

/** Metrics of requests by hour and day: triggers record the changes of requests, which are then folded into rollups. */
export class Analytics1700000002400 implements MigrationInterface {
  readonly name = 'Analytics1700000002400';

  async up(runner: QueryRunner): Promise<void> {
    const counting = [foldOf(place), ...recordingOf(place), ...triggers];
    const made = [...functions, ...requests, ...tables, ...activity, ...backfill, ...counting, dropPartition];
    for (const statement of made) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ['inserted', 'updated', 'deleted']) {
      await runner.query(`DROP TRIGGER roll_up_${name} ON traffic.requests`);
      await runner.query(`DROP FUNCTION traffic.roll_up_${name}()`);
    }
    await runner.query('DROP FUNCTION traffic.fold_rollups(int)');
    await runner.query(`CREATE OR REPLACE FUNCTION traffic.drop_request_partition(day date) RETURNS void
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s' AS $$
      BEGIN
        IF day >= (now() AT TIME ZONE 'UTC')::date THEN
          RAISE EXCEPTION 'the day % is not over', day;
        END IF;
        EXECUTE format('DROP TABLE IF EXISTS traffic.%I', 'requests_' || to_char(day, 'YYYYMMDD'));
      END $$`);
    await runner.query('DROP VIEW traffic.recorded_activity, traffic.measured_requests');
    await runner.query(`DROP TABLE traffic.activity, ${TABLES.map((table) => `traffic.${table}`).join(', ')}`);
    await runner.query('DROP FUNCTION traffic.joined_sketch(bytea, bytea), traffic.compact_sketch(bytea)');
    await runner.query('DROP FUNCTION traffic.latency_bin(int)');
    await runner.query('DROP INDEX traffic.requests_time');
    await runner.query('ALTER TABLE traffic.requests DROP COLUMN agent_id');
  }
}
