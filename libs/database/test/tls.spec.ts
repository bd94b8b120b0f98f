import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type PostgresServer } from '@signalbox/servers';
import { type Authority, copyEmptyCluster, eventually, makeAuthority } from '@signalbox/testing';
import pg from 'pg';
import { requireDatabase } from '../src/require-database.js';
import { withCaFile } from '../src/connections.js';

let dir: string;
let right: Authority;
let other: Authority;
let postgres: PostgresServer;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-tls-'));
  [right, other] = [makeAuthority(dir, 'right'), makeAuthority(dir, 'other')];
  const dataDir = join(dir, 'postgres');
  await copyEmptyCluster(dataDir);
  postgres = await startPostgres({ dataDir, logFile: join(dir, 'postgres.log') });
}, 60_000);
afterAll(async () => {
  await postgres.stop('immediate');
  rmSync(dir, { recursive: true, force: true });
});

/** Lets the server speak TLS with a certificate, whose files are read by its own user. */
async function use({ certFile, keyFile }: ReturnType<Authority['issue']>): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  for (const [file, from] of [
    ['server.crt', certFile],
    ['server.key', keyFile],
  ] as const) {
    const text = client.escapeLiteral(readFileSync(from, 'utf8'));
    await client.query(`COPY (SELECT regexp_split_to_table(${text}, '\\n')) TO PROGRAM 'umask 077; cat > ${file}'`);
  }
  await client.query('ALTER SYSTEM SET ssl = on');
  await client.query('SELECT pg_reload_conf()');
  await client.end();
}

const over = (host: string, caFile: string | null): string => {
  const url = new URL(postgres.url);
  url.hostname = host;
  return withCaFile(url.href, caFile);
};

const outcome = (url: string): Promise<string> =>
  requireDatabase(url).then(
    () => 'accepted',
    (error: Error) => error.message,
  );

describe('Postgres over TLS', () => {
  it('is used with the authority of its certificate and under its name, and with no other', async () => {
    expect(await outcome(over('localhost', right.caFile))).toMatch(/does not support SSL/);
    await use(right.issue('localhost'));
    await eventually(
      'the server speaks TLS',
      async () => (await outcome(over('localhost', right.caFile))) === 'accepted',
    );
    expect(await outcome(over('localhost', other.caFile))).toMatch(/unable to (verify|get)|self.signed/i);
    await use(right.issue('elsewhere.example'));
    await eventually('the server has the other name', async () =>
      /altnames/.test(await outcome(over('localhost', right.caFile))),
    );
  });

  it('keeps another mode that an address names', () => {
    expect(withCaFile('postgres://u:p@h/db?sslmode=require', '/ca.crt')).toBe(
      'postgres://u:p@h/db?sslmode=require&sslrootcert=%2Fca.crt',
    );
    expect(withCaFile('postgres://u:p@h/db', null)).toBe('postgres://u:p@h/db');
  });
});
