import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServers, TEST_MASTER_KEY, type TestServers } from '@signalbox/testing';
import { withSession } from '../../src/admin/backup/sources.js';
import { migrate } from '../../src/launcher/migrations/migrations.js';
import { SERVICES } from '../../src/launcher/services.js';
import { readSettings } from '../../src/settings/settings.js';

describe('a migration', () => {
  let servers: TestServers;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'signalbox-migrate-'));
    servers = await startServers();
  }, 120_000);
  afterAll(async () => {
    await servers?.stop();
    await rm(folder, { recursive: true });
  }, 60_000);

  it('runs again where nothing changed but roles are missing, as in a database of a plain dump', async () => {
    const databaseUrl = servers.postgres.url;
    const settings = readSettings({ DATABASE_URL: databaseUrl, DATA_DIR: folder, PATH: process.env.PATH });
    const platform = { settings, databaseUrl, natsUrl: '', masterKey: TEST_MASTER_KEY };
    const outcome = (): Promise<string> =>
      migrate(platform, SERVICES, join(folder, 'log'), new AbortController().signal);
    expect(await outcome()).toBe('migrated');
    expect(await outcome()).toBe('unchanged');
    await withSession(databaseUrl, (client) => client.query('ALTER ROLE svc_training RENAME TO lost'));
    expect(await outcome()).toBe('migrated');
    const { rowCount } = await withSession(databaseUrl, (client) =>
      client.query(`SELECT 1 FROM pg_roles WHERE rolname = 'svc_training' AND rolcanlogin`),
    );
    expect(rowCount).toBe(1);
    expect(await outcome()).toBe('unchanged');
  }, 180_000);
});
