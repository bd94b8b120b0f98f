import type { Client } from 'pg';
import { IDLE_MS, STATEMENT_MS } from '../connections.js';

const RESTRICTIONS = 'NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS';
const IS_MIGHTY = `SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolbypassrls AS mighty FROM pg_roles
  WHERE rolname = $1`;

/** A null password makes a role without login. */
export async function ensureRole(client: Client, role: string, password: string | null): Promise<void> {
  const [there] = (await client.query<{ mighty: boolean }>(IS_MIGHTY, [role])).rows;
  const name = client.escapeIdentifier(role);
  const login = password === null ? 'NOLOGIN' : `LOGIN PASSWORD ${client.escapeLiteral(password)}`;
  // An owner who is no superuser may not name these of a role that exists, not even to leave them as they are.
  const restrictions = there?.mighty === false ? '' : RESTRICTIONS;
  await client.query(`${there ? 'ALTER' : 'CREATE'} ROLE ${name} ${restrictions} ${login}`);
  // JIT compilation takes tens of milliseconds, far longer than these statements, and is not reused.
  await client.query(`ALTER ROLE ${name} SET jit = off`);
  // A pooler does not let the service set these per session.
  await client.query(`ALTER ROLE ${name} SET statement_timeout = ${STATEMENT_MS}`);
  await client.query(`ALTER ROLE ${name} SET idle_in_transaction_session_timeout = ${IDLE_MS}`);
}

export const passwordOf = (url: string): string => decodeURIComponent(new URL(url).password);

export interface KeyedLogins {
  runtimeUrl: string;
  workerUrl: string;
  /** Created only while the master key changes; otherwise existing ones are kept. */
  isRotating: boolean;
  /** Master keys whose logins stay; the others are dropped. */
  keyIds: string[];
}

const userOf = (url: string): string => decodeURIComponent(new URL(url).username);

/**
 * Old and new processes log in at the same time while the master key changes. Sessions of keyed logins start as the
 * role of the service, so rights, policies and owners concern that role alone.
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
