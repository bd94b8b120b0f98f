import { listSql, sortSql } from '@signalbox/database';
import { discardedRows, startServers, type TestServers } from '@signalbox/testing';
import { Pool } from 'pg';
import { runFilters } from '../src/runs/run-filters.view.js';
import { view } from '../src/runs/runs.sql.js';

const RUNS = 20_000;
const FEW = 1000;

let servers: TestServers;
let sql: Pool;
beforeAll(async () => {
  servers = await startServers({ migrated: true });
  sql = new Pool({ connectionString: servers.postgres.url, max: 1 });
  // Without triggers and foreign keys. The oldest few have a fault.
  await sql.query('SET session_replication_role = replica');
  await sql.query(
    `INSERT INTO monitors.monitor_runs (company_id, monitor_id, monitor_target_id, monitor_version_id, version_number, source_type,
       source_id, runner_type, shadow, batch, outcome)
     SELECT 1, 1, 1, 1, '1.0.0', 'request', n::text, 'direct', false, gen_random_uuid(), CASE WHEN n <= 300 THEN 'FAULT' ELSE 'PASS' END
     FROM generate_series(1, ${RUNS}) n`,
  );
}, 60_000);
afterAll(async () => {
  await sql.end();
  await servers.stop();
});

it('lists the few runs with a fault without reading those that passed', async () => {
  const options = { offset: 0, limit: 25, sort: '-id', filters: runFilters({ outcome: ['FAULT', 'ERROR'] }) };
  const { text, values } = listSql(view, options, sortSql(view, '-id')!);
  for (const statistics of ['', 'ANALYZE monitors.monitor_runs']) {
    await sql.query(statistics);
    expect(await discardedRows(sql, 'monitors', text, [1, ...values])).toBeLessThan(FEW);
  }
});
