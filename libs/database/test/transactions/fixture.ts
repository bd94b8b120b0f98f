import { migrateOn, openDatabase, type OpenDatabase, startServers, type TestServers } from '@signalbox/testing';
import { Pool } from 'pg';

export const CONNECTIONS = 4;

export let servers: TestServers;
export let open: OpenDatabase;
export let sql: Pool;

beforeAll(async () => {
  servers = await startServers();
  await migrateOn(servers, 'accounts');
  open = await openDatabase(servers, 'accounts', CONNECTIONS);
  sql = new Pool({ connectionString: servers.postgres.url, max: 2 });
  sql.on('error', () => undefined);
  await sql.query(`INSERT INTO accounts.companies (name) VALUES ('one'), ('two')`);
}, 60_000);

afterAll(async () => {
  await open.close();
  await sql.end();
  await servers.stop();
});

export const owner = { companyId: 1 };
export const insertKey = (name: string, keyId: string, company = 1): [string, unknown[]] => [
  `INSERT INTO accounts.api_keys (company_id, name, key_id, key_hash, last4, scopes) VALUES ($1, $2, $3, '\\x00', '0000', '{read}') RETURNING id`,
  [company, name, keyId],
];
export const counts = async (): Promise<Record<string, number>> => {
  const { rows } = await sql.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM accounts.api_keys) AS keys, (SELECT count(*)::int FROM accounts.outbox) AS outbox,
      (SELECT count(*)::int FROM accounts.work) AS work`,
  );
  return rows[0] ?? {};
};
