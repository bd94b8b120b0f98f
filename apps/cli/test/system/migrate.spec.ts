import { execFile } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startServers, TEST_MASTER_KEY, type TestServers } from '@signalbox/testing';
import { withSession } from '../../src/admin/backup/sources.js';
import { migrate } from '../../src/launcher/migrations/migrations.js';
import { REPOSITORY, SERVICES } from '../../src/launcher/services.js';
import { readSettings } from '../../src/settings/settings.js';

/** As of a managed Postgres: it owns the database and may create roles. */
const OWNER = 'plain_owner';

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

  const migrateAt = (databaseUrl: string, more: Record<string, string> = {}): Promise<string> => {
    const settings = readSettings({ DATABASE_URL: databaseUrl, DATA_DIR: folder, PATH: process.env.PATH, ...more });
    const platform = { settings, databaseUrl, natsUrl: '', masterKey: TEST_MASTER_KEY };
    return migrate(platform, SERVICES, join(folder, 'log'), new AbortController().signal);
  };

  // Before the others: roles that a superuser made are not this owner's.
  it('runs each time for an owner who is no superuser, also while the master key changes', async () => {
    await withSession(servers.postgres.url, async (client) => {
      await client.query(`CREATE ROLE ${OWNER} LOGIN CREATEROLE PASSWORD 'plain'`);
      await client.query(`CREATE DATABASE plain OWNER ${OWNER}`);
    });
    const address = new URL(servers.postgres.url);
    [address.username, address.password, address.pathname] = [OWNER, 'plain', '/plain'];
    expect(await migrateAt(address.href)).toBe('migrated');
    await withSession(address.href, (client) => client.query('DELETE FROM public.signalbox_migrated'));
    expect(await migrateAt(address.href)).toBe('migrated');
    expect(await migrateAt(address.href, { MASTER_KEY_NEXT: 'n'.repeat(40) })).toBe('migrated');
    expect(await migrateAt(address.href)).toBe('migrated');
    expect(await migrateAt(address.href)).toBe('unchanged');
  }, 180_000);

  it('runs again where nothing changed but roles are missing, as in a database of a plain dump', async () => {
    const databaseUrl = servers.postgres.url;
    const outcome = (): Promise<string> => migrateAt(databaseUrl);
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

  it('runs again from an image with other migrations, which has the bundles alone', async () => {
    const image = join(folder, 'image');
    await mkdir(join(image, 'apps/cli'), { recursive: true });
    await Promise.all([
      cp(join(REPOSITORY, 'dist'), join(image, 'dist'), { recursive: true }),
      cp(join(REPOSITORY, 'apps/cli/bin'), join(image, 'apps/cli/bin'), { recursive: true }),
      cp(join(REPOSITORY, 'package.json'), join(image, 'package.json')),
      symlink(join(REPOSITORY, 'node_modules'), join(image, 'node_modules')),
    ]);
    const env = {
      DATABASE_URL: servers.postgres.url,
      MASTER_KEY: TEST_MASTER_KEY,
      DATA_DIR: join(folder, 'data'),
      PATH: process.env.PATH,
    };
    const said = async (): Promise<string> =>
      (await promisify(execFile)(process.execPath, [join(image, 'apps/cli/bin/signalbox.mjs'), 'migrate'], { env }))
        .stdout;
    await said();
    expect(await said()).toContain('Nothing to migrate');
    await appendFile(join(image, 'dist/services/training.migrations.js'), '\n// Another migration.\n');
    expect(await said()).toContain('All schemas are up to date now');
  }, 180_000);
});
