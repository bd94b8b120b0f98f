import { Client } from 'pg';

const PATIENCE_MS = 2000;

/** Throws while a database does not answer: trying that costs less than starting everything that stands on it. */
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
