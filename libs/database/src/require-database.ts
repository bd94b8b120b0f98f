import { Client } from 'pg';

/** A refused connection fails at once; a busy server may take seconds to reply. */
const CONNECT_TIMEOUT_MS = 20_000;
/** The first whose `RETURNING` can give old values, which roll-ups need. */
const OLDEST_MAJOR = 18;

/** As in `server_version_num`, such as 180004. */
export type ServerVersion = number;

export function requireVersion(version: ServerVersion): void {
  const [major, minor] = [Math.floor(version / 10_000), version % 10_000];
  if (major < OLDEST_MAJOR)
    throw new Error(`Postgres ${OLDEST_MAJOR} or later is needed, and the database is Postgres ${major}.${minor}`);
}

export async function versionOf(client: Pick<Client, 'query'>): Promise<ServerVersion> {
  const { rows } = await client.query<{ version: number }>(
    `SELECT current_setting('server_version_num')::int AS version`,
  );
  return rows[0]?.version ?? 0;
}

/** Uses one connection; throws when the database does not respond. */
export async function withClient<T>(url: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Returns the version. Cheaper than starting everything that depends on the database. */
export const requireDatabase = (url: string): Promise<ServerVersion> => withClient(url, versionOf);
