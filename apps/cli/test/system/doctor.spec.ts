import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { agents } from '@signalbox/contracts';
import { freePort } from '@signalbox/servers';
import { Platform, TEST_MASTER_KEY } from '@signalbox/testing';
import { runAdmin } from '../../src/admin/admin.js';
import { backupFindings } from '../../src/admin/doctor/backups.js';
import type { Finding } from '../../src/admin/doctor/finding.js';
import { DEPLOYED } from '../../src/launcher/services.js';
import { readSettings } from '../../src/settings/settings.js';
import { ROOT } from '../manifests.js';
import {
  alerts,
  labelPatternsIn,
  labelValues,
  panelExpressions,
  servicesMissedBy,
  unknownMetrics,
} from './monitoring.js';

const SERVICES = [
  ...['accounts', 'traffic', 'agents', 'workflows', 'runner'],
  ...['monitors', 'test-runs', 'training', 'gateway'],
];

let platform: Platform;
const healthPorts: number[] = [];
beforeAll(async () => {
  // Other specs leave tables in a shared database that the doctor would find.
  platform = await Platform.start({ services: [], withCompletions: true });
  for (const _ of SERVICES) healthPorts.push(await freePort());
  await Promise.all(
    SERVICES.map((name, n) => platform.startService(name, name, { HEALTH_PORT: String(healthPorts[n]) })),
  );
}, 240_000);
afterAll(() => platform?.stop(), 40_000);

/** The address of the bus as operators give it: each service has a separate login. */
function withoutLogin(url: string): string {
  const bare = new URL(url);
  [bare.username, bare.password] = ['', ''];
  return bare.href;
}

const doctor = (...words: string[]): Promise<{ code: number; output: string }> => admin('doctor', ...words);

async function admin(...words: string[]): Promise<{ code: number; output: string }> {
  const { servers } = platform;
  const settings = readSettings({
    DATABASE_URL: servers.postgres.url,
    NATS_URL: withoutLogin(servers.nats.url),
    MASTER_KEY: TEST_MASTER_KEY,
    DATA_DIR: servers.dir,
    PATH: process.env.PATH,
  });
  const { write } = process.stdout;
  let output = '';
  process.stdout.write = (text: string | Uint8Array) => ((output += String(text)), true);
  try {
    const code = await runAdmin(settings, words);
    return { code, output };
  } finally {
    process.stdout.write = write;
  }
}

async function findings(): Promise<{ code: number; found: Finding[] }> {
  const { code, output } = await doctor('--json');
  return { code, found: JSON.parse(output) as Finding[] };
}

const stateOf = (found: Finding[], area: string) => found.find((each) => each.area === area)?.state;
const problems = (found: Finding[]) => found.filter(({ state }) => state === 'problem').map(({ area }) => area);

const scrape = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

/** By outcome, when the last backup has ended, in seconds since 1970, as the metrics of accounts say it. */
async function backupEnds(): Promise<Record<string, number>> {
  const text = await scrape(healthPorts[SERVICES.indexOf('accounts')]!);
  const samples = text.matchAll(/^signalbox_backup_last_timestamp_seconds\{outcome="(\w+)"\} (\S+)$/gm);
  return Object.fromEntries([...samples].map(([, outcome, value]) => [outcome, Number(value)]));
}

describe('the doctor', () => {
  it('finds no problem in a healthy platform, and says what it has looked at', async () => {
    const { code, found } = await findings();
    expect(problems(found)).toEqual([]);
    expect(code).toBe(0);
    const areas = found.map(({ area }) => area.replace(/^sandbox .*/, 'sandbox'));
    expect(areas).toEqual(
      expect.arrayContaining([
        ...['schemas', 'postgres', 'clock of Postgres', 'connections', 'locks', 'row security', 'master key'],
        ...['bus users', 'bus', 'stream EVENTS', 'stream AUDIT', 'clock of NATS', 'consumers'],
        ...SERVICES.filter((name) => name !== 'gateway').map((name) => `service ${name}`),
        ...['sandbox', 'clocks of services', 'backups', 'disk', 'spool', 'quarantine'],
      ]),
    );
    expect(found.filter(({ state, advice }) => (state === 'ok') !== (advice === ''))).toEqual([]);
    expect([stateOf(found, 'schemas'), stateOf(found, 'master key')]).toEqual(['ok', 'ok']);
    const sandbox = found.find(({ area }) => area.startsWith('sandbox'));
    expect(['isolated', 'namespaces', 'user', 'limits', 'none']).toContain(sandbox?.found);
  }, 120_000);

  it('finds a dropped policy, a missing migration and a right past the policies', async () => {
    const { sql } = platform;
    const { rows } = await sql.query<{ qual: string }>(
      `SELECT qual FROM pg_policies WHERE schemaname = 'agents' AND tablename = 'agents' AND policyname = 'company'`,
    );
    const { rows: run } = await sql.query<{ timestamp: string; name: string }>(
      'DELETE FROM agents.migrations WHERE id = (SELECT max(id) FROM agents.migrations) RETURNING timestamp, name',
    );
    await sql.query('DROP POLICY company ON agents.agents');
    await sql.query('GRANT TRUNCATE ON agents.tasks TO svc_agents');
    try {
      const { code, output } = await doctor();
      expect(code).toBe(1);
      expect(output).toMatch(/^problem +row security .*agents\.agents has no policy for svc_agents/m);
      expect(output).toMatch(/^problem +row security .*svc_agents holds rights on agents\.tasks/m);
      expect(output).toMatch(new RegExp(`^problem +schemas .*agents lacks ${run[0]?.name}`, 'm'));
      expect(output).toMatch(/→ run signalbox migrate with this release/);
      expect(output).toMatch(/\n2 problems, \d+ warnings, \d+ ok\n$/);
    } finally {
      await sql.query('REVOKE TRUNCATE ON agents.tasks FROM svc_agents');
      const { qual } = rows[0] as { qual: string };
      await sql.query(`CREATE POLICY company ON agents.agents TO svc_agents USING ${qual} WITH CHECK ${qual}`);
      const { timestamp, name } = run[0] as { timestamp: string; name: string };
      await sql.query('INSERT INTO agents.migrations (timestamp, name) VALUES ($1, $2)', [timestamp, name]);
    }
  }, 120_000);

  it('finds a value that the master key does not open', async () => {
    const { sql } = platform;
    await sql.query(
      `INSERT INTO accounts.former_peppers (key_id, sealed) VALUES ('other', decode(repeat('01', 60), 'hex'))`,
    );
    try {
      const { code, output } = await doctor();
      expect(code).toBe(1);
      expect(output).toMatch(/^problem +master key +1 of 1 sealed values do not open with it/m);
    } finally {
      await sql.query('DELETE FROM accounts.former_peppers');
    }
  }, 120_000);

  it('finds a stream that was removed and a service that does not reply', async () => {
    const accounts = platform.service('accounts');
    // It would make the stream again.
    await accounts.kill('SIGSTOP');
    try {
      await platform.connection.nats.request('$JS.API.STREAM.DELETE.AUDIT', '');
      const { code, found } = await findings();
      expect(code).toBe(1);
      expect(problems(found)).toEqual(expect.arrayContaining(['stream AUDIT', 'consumers', 'service accounts']));
      expect(found.find(({ area }) => area === 'consumers')?.found).toContain('accounts-audit-log');
      expect(stateOf(found, 'stream EVENTS')).toBe('ok');
    } finally {
      await accounts.kill('SIGCONT');
    }
  }, 120_000);

  it('says when a backup was last read to its end, and that the latest has failed', async () => {
    const { sql, servers } = platform;
    const seen = async (overdueHours = 50): Promise<string> => {
      const [finding] = await backupFindings(servers.postgres.url, overdueHours);
      return `${finding?.state}: ${finding?.found}`;
    };
    expect(await seen()).toBe('warning: signalbox admin backups has made none');
    expect(await backupEnds()).toEqual({});
    const begin = Date.now() / 1000;
    const folder = join(servers.dir, 'backups');
    // One that cannot be read: an old one must not cost the new one.
    mkdirSync(join(folder, 'nightly-2020-01-01T03-00-00-000Z', 'manifest.json'), { recursive: true });
    expect((await admin('backups', '--once', '--to', folder)).code).toBe(0);
    expect(readdirSync(folder)).toHaveLength(2);
    expect(await seen()).toMatch(/^ok: nightly-\S+Z was verified 0 hours ago$/);
    const { verified, ...others } = await backupEnds();
    expect([verified! > begin - 1 && verified! < Date.now() / 1000 + 1, others]).toEqual([true, {}]);
    expect((await admin('backups', '--once', '--to', '/dev/null/nowhere')).code).toBe(1);
    const ends = await backupEnds();
    expect(ends).toEqual({ verified, failed: expect.any(Number) as number });
    expect(ends.failed).toBeGreaterThan(verified!);
    const selected = alerts().flatMap(({ expr }) => [...expr.matchAll(/\{outcome="(verified|failed)"\}/g)]);
    expect([...new Set(selected.map(([, outcome]) => outcome))].sort()).toEqual(Object.keys(ends).sort());
    expect(await seen()).toMatch(/^problem: the latest has failed: .+; nightly-\S+Z was verified 0 hours ago$/);
    await sql.query('DELETE FROM public.signalbox_backups WHERE failure IS NOT NULL');
    await sql.query(`UPDATE public.signalbox_backups SET at = at - interval '60 hours'`);
    expect(await seen()).toMatch(/^problem: nightly-\S+Z was verified 60 hours ago$/);
    expect(await seen(340)).toMatch(/^ok: nightly-\S+Z was verified 60 hours ago$/);
    expect(Object.keys(await backupEnds())).toEqual(['verified']);
    expect(begin - (await backupEnds()).verified!).toBeGreaterThan(180_000);
  }, 120_000);

  it('says what it cannot reach', async () => {
    const nowhere = readSettings({ MASTER_KEY: TEST_MASTER_KEY, DATA_DIR: '/nonexistent' });
    const { error } = console;
    let complaint = '';
    console.error = (text: string) => void (complaint += text);
    try {
      expect(await runAdmin(nowhere, ['doctor'])).toBe(1);
    } finally {
      console.error = error;
    }
    expect(complaint).toContain('set DATABASE_URL and NATS_URL');
  });
});

describe('the metrics', () => {
  it('have every name that alerts and dashboards use', async () => {
    const scrapes = await Promise.all(healthPorts.map(scrape));
    const expressions = [...alerts().map(({ expr }) => expr), ...panelExpressions()];
    expect(expressions.length).toBeGreaterThan(40);
    expect(unknownMetrics(expressions, scrapes)).toEqual([]);
    expect(unknownMetrics(['rate(signalbox_no_such_total[5m])'], scrapes)).toEqual(['signalbox_no_such_total']);
    expect(alerts().filter(({ annotations }) => !existsSync(join(ROOT, annotations.runbook)))).toEqual([]);
  });

  it('let alerts see the first increase of a counter, which is born with it when it has labels', async () => {
    const scrapes = (await Promise.all(healthPorts.map(scrape))).join('\n');
    const increases = alerts().flatMap(({ alert, expr }) =>
      [...expr.matchAll(/increase\((\w+)/g)].map(([, metric = '']) => ({ alert, expr, metric })),
    );
    expect(increases.length).toBeGreaterThan(3);
    const isThere = (metric: string): boolean => new RegExp(`^${metric} 0$`, 'm').test(scrapes);
    const blind = increases.filter(({ metric, expr }) => !isThere(metric) && !expr.includes(`unless ${metric}`));
    expect(blind.map(({ alert }) => alert)).toEqual([]);
  });

  it('have labels that the patterns of alerts match, and a service for each that an alert misses', async () => {
    const { companyId } = await platform.company();
    await platform.bus.call(
      agents.endpoints.listAgents,
      { limit: 10, offset: 0, sort: 'id' },
      platform.caller(companyId),
    );
    const scrapes = await Promise.all(healthPorts.map(scrape));
    const patterns = alerts().flatMap(({ alert, expr }) =>
      labelPatternsIn(expr).map((each) => ({
        alert,
        ...each,
        values: [...labelValues(scrapes, each.metric, each.label)],
      })),
    );
    const slow = patterns.find(({ alert }) => alert === 'SignalboxSlow')!;
    expect(slow.values.filter((value) => slow.pattern.test(value))).toContain('rpc.agents.listAgents');
    expect(slow.values.filter((value) => !slow.pattern.test(value)).join()).toContain('rpc.');
    const missed = servicesMissedBy(alerts().find(({ alert }) => alert === 'SignalboxServiceGone')!.expr);
    expect(missed.sort()).toEqual(DEPLOYED.map(({ name }) => name).sort());
    const scraped = [...labelValues(scrapes, 'signalbox_build_info', 'service')];
    expect(scraped.sort()).toEqual([...SERVICES].sort());
    expect(missed).toEqual(expect.arrayContaining(scraped));
  });

  it('say what waits, what runs and what could not be applied', async () => {
    const { companyId } = await platform.company();
    const { sql } = platform;
    await sql.query(
      `INSERT INTO training.work (kind, ref, company_id, due_at) VALUES ('no-such-kind', 'a', $1, now() - interval '90 s')`,
      [companyId],
    );
    await sql.query(
      `INSERT INTO training.dead_letters (company_id, consumer, message_id, subject, payload, cause)
       VALUES ($1, 'training-things', 'm1', 's', '{}', 'no such thing')`,
      [companyId],
    );
    const text = await scrape(healthPorts[SERVICES.indexOf('training')] ?? 0);
    expect(text).toMatch(/^signalbox_jobs_waiting\{kind="no-such-kind"\} 1$/m);
    expect(Number(/^signalbox_jobs_oldest_seconds\{kind="no-such-kind"\} (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(89);
    expect(text).toMatch(/^signalbox_dead_letters\{consumer="training-things"\} 1$/m);
    expect(text).toMatch(/^signalbox_pool_size\{pool="runtime"\} 10$/m);
    expect(text).toMatch(/^signalbox_build_info\{service="training",release="\d+\.\d+\.\d+",node="v\d.*"\} 1$/m);
    expect(text).toMatch(/^signalbox_schema_info\{schema="training",migration="\w+"\} 1$/m);
  });
});
