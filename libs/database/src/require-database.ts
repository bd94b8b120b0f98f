import { Client } from 'pg';

/** A refused connection fails at once; a busy server may take seconds to reply. */
const PATIENCE_MS = 20_000;

/** Throws when the database does not respond: a check is cheaper than a start of everything that depends on it. */
export async function requireDatabase(url: string): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    await client.end().catch(() => undefined);
  }
}
