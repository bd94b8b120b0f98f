import type { Client } from 'pg';
import { rolesOf } from './schema.js';

const POLICY = 'backup';

const CLOSED = `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND c.relrowsecurity AND NOT c.relispartition
    AND NOT EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = '${POLICY}')`;

/**
 * Lets the owner role, which has no login, read the rows of all companies, so that a backup needs no superuser.
 * Otherwise forced row-level security would make a dump empty without an error.
 */
export async function openToBackups(client: Client, service: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(CLOSED, [service]);
  const owner = client.escapeIdentifier(rolesOf(service).owner);
  for (const { name } of rows) {
    const table = `${client.escapeIdentifier(service)}.${client.escapeIdentifier(name)}`;
    await client.query('BEGIN');
    try {
      await client.query(`SET LOCAL ROLE ${owner}`);
      // Later calls queue behind a statement that waits for the table lock.
      await client.query(`SET LOCAL lock_timeout = '5s'`);
      await client.query(`CREATE POLICY ${POLICY} ON ${table} FOR SELECT TO ${owner} USING (true)`);
    } finally {
      await client.query('COMMIT');
    }
  }
}
