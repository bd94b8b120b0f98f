import { Client } from 'pg';

/** A refused connection fails at once; a busy server may take seconds to reply. */
const CONNECT_TIMEOUT_MS = 20_000;
/** The oldest Postgres whose `RETURNING` gives rows as they were before, which roll-ups are made of. */
const OLDEST_MAJOR = 18;

/** The version of a server as `server_version_num` has it, such as 180004. */
export type ServerVersion = number;

/** Throws for a Postgres that lacks what migrations and statements need. */
export function requireVersion(version: ServerVersion): void {
  const [major, minor] = [Math.floor(version / 10_000), version % 10_000];
  if (major < OLDEST_MAJOR)
    throw new Error(`Postgres ${OLDEST_MAJOR} or later is needed, and the database is Postgres ${major}.${minor}`);
}

/** The version of the server that a connection leads to. */
export async function versionOf(client: Pick<Client, 'query'>): Promise<ServerVersion> {
  const { rows } = await client.query<{ version: number }>(
    `SELECT current_setting('server_version_num')::int AS version`,
  );
  return rows[0]?.version ?? 0;
}

/**
 * Throws when the database does not respond: a check is cheaper than a start of everything that depends on it. Returns its
 * version.
 */
export async function requireDatabase(url: string): Promise<ServerVersion> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await versionOf(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
