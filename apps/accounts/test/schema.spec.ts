import { startServers, testSchemaOf, type TestServers } from '@signalbox/testing';
import { Client } from 'pg';
import { ENTITIES } from '../src/entities.js';

let servers: TestServers;
beforeAll(async () => {
  servers = await startServers({ migrated: true });
}, 120_000);
afterAll(() => servers.stop());

it('lists and counts the entries of the audit log with a rare action by an index', async () => {
  const client = new Client({ connectionString: servers.postgres.url });
  await client.connect();
  try {
    await client.query(`BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
      SET LOCAL session_replication_role = replica;
      INSERT INTO accounts.audit_log (company_id, message_id, action, resource_type, resource_id, request_id, date_created)
      SELECT 1, i::text, 'action ' || i % 1000, 'agent', '1', 'r', i FROM generate_series(1, 5000) i;
      ANALYZE accounts.audit_log`);
    const from = `FROM accounts.audit_log WHERE company_id = 1 AND action = ANY('{action 7}'::text[])`;
    for (const statement of [`SELECT * ${from} ORDER BY id DESC LIMIT 25`, `SELECT count(*) ${from}`]) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${statement}`);
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('audit_log_action');
    }
  } finally {
    await client.end();
  }
});

testSchemaOf('accounts', ENTITIES, new URL('../src/', import.meta.url), () => servers);
