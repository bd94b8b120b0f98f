import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { companies } from '@signalbox/contracts';
import { migrateSchemas, type Migration } from '@signalbox/database';
import { freePort } from '@signalbox/servers';
import { eventually, migrateOn, Platform, startServers } from '@signalbox/testing';
import type { MigrationInterface, QueryRunner } from 'typeorm';

let platform: Platform;
let port: number;
beforeAll(async () => {
  port = await freePort();
  platform = await Platform.start({ services: [], servers: await startServers(), env: { HEALTH_PORT: String(port) } });
}, 60_000);
afterAll(() => platform?.stop(), 40_000);

const readiness = async (): Promise<{ status: number; body: string }> => {
  const reply = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
  return { status: reply?.status ?? 0, body: (await reply?.text()) ?? '' };
};

const isReady = async (): Promise<string | undefined> =>
  /^signalbox_ready\{service="accounts"\} (\d)$/m.exec(
    await (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
  )?.[1];

const exitOfAccounts = (): Promise<number> =>
  eventually('accounts ends', () =>
    platform.service('accounts').running ? null : { code: platform.service('accounts').exitCode },
  ).then(({ code }) => code ?? -1);

describe('a service', () => {
  it('waits for the migrations of its release, says so, and serves once they have run', async () => {
    void platform.startService('accounts').catch(() => undefined);
    await eventually('it says what it waits for', async () => {
      const { status, body } = await readiness();
      return status === 503 && body.includes('waits_for');
    });
    expect(await isReady()).toBe('0');
    // It would be ready before the row of its last migration is gone.
    await platform.service('accounts').kill('SIGKILL');
    await migrateOn(platform.servers, 'accounts');
    await platform.sql.query(`DELETE FROM accounts.migrations WHERE name = 'KeyHmacs1700000001610'`);
    const started = platform.startService('accounts');
    await eventually('it names the migration', async () =>
      (await readiness()).body.includes('the schema of accounts lacks 1 migrations up to KeyHmacs1700000001610'),
    );
    await platform.sql.query(`INSERT INTO accounts.migrations (timestamp, name) VALUES (1, 'KeyHmacs1700000001610')`);
    await started;
    await eventually('it is ready', async () => (await readiness()).status === 200);
    expect(await isReady()).toBe('1');
  }, 120_000);

  it('serves with a schema that a later release has added to', async () => {
    await platform.service('accounts').kill('SIGKILL');
    await platform.sql.query('ALTER TABLE accounts.companies ADD COLUMN later text');
    await platform.sql.query(`INSERT INTO accounts.migrations (timestamp, name) VALUES (2, 'Later1800000000000')`);
    await platform.startService('accounts');
    const { companyId } = await platform.company();
    const company = await platform.bus.call(companies.endpoints.getCompany, {}, platform.caller(companyId));
    expect(company.id).toBe(companyId);
  }, 120_000);

  it('refuses a schema that a later release has broken, with what it needs', async () => {
    await platform.service('accounts').kill('SIGKILL');
    await platform.sql.query(`INSERT INTO accounts.schema_requirements (name) VALUES ('Later1800000000000')`);
    void platform.startService('accounts').catch(() => undefined);
    expect(await exitOfAccounts()).toBe(1);
    expect(await platform.logOf('accounts')).toContain(
      'migrated by a later release that this one cannot serve with: it needs Later1800000000000',
    );
  }, 120_000);
});

const CREATED: Migration['migrations'][number] = class Created1700000000001 implements MigrationInterface {
  readonly name = 'Created1700000000001';
  up = (runner: QueryRunner) => runner.query('CREATE TABLE gated.things (id int)');
  down = () => Promise.resolve();
};
const ADDED: Migration['migrations'][number] = class Added1700000000002 implements MigrationInterface {
  readonly name = 'Added1700000000002';
  readonly requires = 'Created1700000000001';
  up = (runner: QueryRunner) => runner.query('ALTER TABLE gated.things ADD COLUMN more text');
  down = () => Promise.resolve();
};

/** The milliseconds until the kernel asks whether the other end of a connection is still there; null for never. */
function probedIn(localPort: number): number | null {
  const port = localPort.toString(16).toUpperCase().padStart(4, '0');
  const sockets = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/net/${name}`, 'latin1').split('\n'));
  const [, , timer, ticks] = sockets.map((line) => LINE.exec(line)).find((line) => line?.[1] === port) ?? [];
  return timer === '02' ? Number.parseInt(ticks ?? '', 16) * 10 : null;
}
/** Port of this end, kind of timer, and its hundredths of a second. */
const LINE = /^ *\d+: \w+:(\w{4}) \w+:\w{4} 01 \w+:\w+ (\w\w):(\w+)/;

describe('a migration', () => {
  const migrate = (...migrations: Migration['migrations']): Promise<void> => {
    const url = `${platform.servers.postgres.url}?application_name=migration`;
    return migrateSchemas(url, [{ service: 'gated', migrations, runtimeUrl: url, workerUrl: url }]);
  };

  it('gives way to calls while it waits for a lock, is tried again, and notes what it requires of code', async () => {
    await migrate(CREATED);
    const reader = await platform.sql.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT * FROM gated.things');
    const migrated = migrate(CREATED, ADDED);
    await eventually('the migration waits', async () => {
      const { rowCount } = await platform.sql.query(
        `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'gated.things'::regclass`,
      );
      return rowCount;
    });
    // Behind a statement that waited for as long as the reader holds its lock, this would never return.
    await platform.sql.query('SELECT * FROM gated.things');
    await pause(100);
    await reader.query('COMMIT');
    reader.release();
    await migrated;
    const { rows } = await platform.sql.query('SELECT name FROM gated.schema_requirements');
    expect(rows).toEqual([{ name: 'Created1700000000001' }]);
    await expect(platform.sql.query('SELECT more FROM gated.things')).resolves.toBeDefined();
  }, 120_000);

  it('lets the kernel ask within a minute whether Postgres is still there', async () => {
    if (process.platform !== 'linux') return;
    let probes: (number | null)[] = [];
    const connected: Migration['migrations'][number] = class Connected1700000000003 implements MigrationInterface {
      readonly name = 'Connected1700000000003';
      down = () => Promise.resolve();
      up = async (): Promise<void> => {
        const { rows } = await platform.sql.query<{ client_port: number }>(
          `SELECT client_port FROM pg_stat_activity WHERE application_name = 'migration'`,
        );
        probes = rows.map(({ client_port }) => probedIn(client_port));
      };
    };
    await migrate(CREATED, ADDED, connected);
    // That of the lock, and that of the migration.
    expect(probes.length).toBeGreaterThanOrEqual(2);
    expect(probes.filter((ms) => ms === null || ms > 60_000)).toEqual([]);
  }, 120_000);
});
