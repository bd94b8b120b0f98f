import { startServers, testSchemaOf, type TestServers } from '@signalbox/testing';
import { Client } from 'pg';
import { ENTITIES } from '../src/entities.js';

let servers: TestServers;
beforeAll(async () => {
  servers = await startServers({ migrated: true });
}, 120_000);
afterAll(() => servers.stop());

it.each([
  ['application_id = 1', 'runs_of_application'],
  [`failure_class = ANY('{sandbox}')`, 'runs_failed'],
  ['workflow_id = 1', 'runs_of_workflow'],
])('lists and counts the runs with %s by an index, in the order of acceptance', async (condition, index) => {
  const client = new Client({ connectionString: servers.postgres.url });
  await client.connect();
  try {
    await client.query(`BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
      SET LOCAL session_replication_role = replica;
      INSERT INTO workflows.runs (company_id, id, status, work_kind, workflow_id, workflow_ref_name, session_id,
        trigger, root_trigger, mode, snapshot, application_id, failure_class)
      SELECT 1, gen_random_uuid(), 'QUEUED', 'none', i % 50, 'ref', i::text, 'API', 'API', 'sync', '{}', i % 50,
        CASE WHEN i % 50 = 1 THEN 'sandbox' END
      FROM generate_series(1, 5000) i;
      ANALYZE workflows.runs`);
    const from = `FROM workflows.runs WHERE company_id = 1 AND ${condition}`;
    for (const statement of [`SELECT * ${from} ORDER BY no DESC LIMIT 25`, `SELECT count(*) ${from}`]) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${statement}`);
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(index);
    }
  } finally {
    await client.end();
  }
});

testSchemaOf('workflows', ENTITIES, new URL('../src/', import.meta.url), () => servers);
