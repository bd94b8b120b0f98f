import type { Client } from 'pg';
import { IDLE_MS, STATEMENT_MS } from '../connections.js';

/** Makes a role, or gives it this password. */
export async function ensureRole(client: Client, role: string, password: string | null): Promise<void> {
  const exists = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  const options = `NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS ${
    password === null ? 'NOLOGIN' : `LOGIN PASSWORD ${client.escapeLiteral(password)}`
  }`;
  const name = client.escapeIdentifier(role);
  await client.query(`${exists.rowCount ? 'ALTER' : 'CREATE'} ROLE ${name} ${options}`);
  // Statements are short; JIT compilation takes tens of milliseconds and its result is not reused.
  await client.query(`ALTER ROLE ${name} SET jit = off`);
  // A pooler between a service and Postgres does not let the service say it.
  await client.query(`ALTER ROLE ${name} SET statement_timeout = ${STATEMENT_MS}`);
  await client.query(`ALTER ROLE ${name} SET idle_in_transaction_session_timeout = ${IDLE_MS}`);
}

/** The password in a URL. */
export const passwordOf = (url: string): string => decodeURIComponent(new URL(url).password);

/** Logins to the roles of a service whose names carry the id of a master key. */
export interface KeyedLogins {
  runtimeUrl: string;
  workerUrl: string;
  /** Made while the master key changes; afterwards only those that are there are kept. */
  isRotating: boolean;
  /** The ids of the master keys whose logins stay; those of all others go. */
  keyIds: string[];
}

const userOf = (url: string): string => decodeURIComponent(new URL(url).username);

/**
 * Old and new processes log in at the same time while the master key changes. A session of a further login acts as the
 * role of the service from its begin, so rights, policies and owners concern that role alone.
 */
export async function ensureKeyedLogins(
  client: Client,
  { runtime, worker }: { runtime: string; worker: string },
  { runtimeUrl, workerUrl, isRotating, keyIds }: KeyedLogins,
): Promise<void> {
  for (const [role, url] of [
    [runtime, runtimeUrl],
    [worker, workerUrl],
  ] as const) {
    const { rows } = await client.query<{ name: string }>(`SELECT rolname AS name FROM pg_roles WHERE rolname ~ $1`, [
      `^${role}_[0-9a-f]{8}$`,
    ]);
    const there = rows.map(({ name }) => name);
    for (const name of there.filter((each) => !keyIds.includes(each.slice(-8))))
      await client.query(`DROP ROLE ${client.escapeIdentifier(name)}`);
    if (isRotating || there.includes(userOf(url))) await ensureLogin(client, role, url);
  }
}

async function ensureLogin(client: Client, role: string, url: string): Promise<void> {
  const [name, of] = [client.escapeIdentifier(userOf(url)), client.escapeIdentifier(role)];
  await ensureRole(client, userOf(url), passwordOf(url));
  await client.query(`GRANT ${of} TO ${name}`);
  await client.query(`ALTER ROLE ${name} SET role = ${of}`);
}
