import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { Quarantine, requestLogFolders } from '@signalbox/platform';
import { eventually } from '@signalbox/testing';
import { runAdmin } from '../../src/admin/admin.js';
import { readSettings } from '../../src/settings/settings.js';
import { FixturePlatform } from './fixture-platform.js';
import { ROOT } from '../manifests.js';

interface Outcome {
  code: number | null;
  output: string;
  complaint: string;
}

const KEY = /svk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}/;
const MASTER_KEY = 'a-master-key-that-only-this-test-ever-uses';

function signalbox(words: string[], environment: Record<string, string>): Promise<Outcome> {
  const child = spawn(process.execPath, [join(ROOT, 'apps/cli/bin/signalbox.mjs'), ...words], { env: environment });
  const outcome: Outcome = { code: null, output: '', complaint: '' };
  child.stdout.on('data', (chunk: Buffer) => (outcome.output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (outcome.complaint += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ ...outcome, code })));
}

/** The same in this process: loading the program takes longer than most commands. */
async function admin(words: string[], environment: Record<string, string>): Promise<Outcome> {
  const outcome: Outcome = { code: null, output: '', complaint: '' };
  const { error } = console;
  const { write } = process.stdout;
  console.error = (text: string) => void (outcome.complaint += `${text}\n`);
  process.stdout.write = (text: string | Uint8Array) => {
    outcome.output += String(text);
    return true;
  };
  try {
    outcome.code = await runAdmin(readSettings(environment), words);
  } finally {
    console.error = error;
    process.stdout.write = write;
  }
  return outcome;
}

describe('the admin commands', () => {
  let platform: FixturePlatform;
  const program = (...words: string[]) => signalbox(['admin', ...words], { DATA_DIR: platform.dataDir });
  const command = (...words: string[]) => admin(words, { DATA_DIR: platform.dataDir });
  const companies = async (list = command) => JSON.parse((await list('list-companies')).output) as { name: string }[];
  const keyFile = () => join(platform.dataDir, 'admin-key');

  beforeAll(async () => {
    platform = await FixturePlatform.real(['accounts']);
    await platform.start();
  }, 60_000);
  afterAll(() => platform.remove(), 40_000);

  it('find the company of the first boot, whose key is shown once and stored for its owner alone', async () => {
    const key = (await readFile(keyFile(), 'utf8')).trim();
    expect(key).toMatch(KEY);
    expect(platform.output.split(key)).toHaveLength(2);
    expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
    expect(await companies(program)).toMatchObject([{ company_id: 1, name: 'demo', egress_allow: [] }]);
  });

  it('create companies and keys, printed as JSON', async () => {
    const made = await program('create-company', '--name', 'Acme');
    expect(made).toMatchObject({ code: 0, complaint: '' });
    const company = JSON.parse(made.output) as { company_id: number; api_key: string };
    expect(Object.keys(company)).toEqual(['company_id', 'api_key']);
    expect(company.api_key).toMatch(KEY);
    const id = String(company.company_id);
    const added = await program('create-key', '--company', id, '--name', 'ci', '--scopes', 'read,write');
    expect(JSON.parse(added.output)).toEqual({ id: expect.any(Number), key: expect.stringMatching(KEY) });
  });

  it('are joined by a link to the portal at the port of the platform, or at PUBLIC_URL', async () => {
    const link = async (environment: Record<string, string>) =>
      (await signalbox(['portal'], { DATA_DIR: platform.dataDir, ...environment })).output;
    expect(await link({})).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${platform.port}/sign-in#t=\\S+\n$`));
    expect(await link({ PUBLIC_URL: 'https://box.example/' })).toMatch(/^https:\/\/box\.example\/sign-in#t=\S+\n$/);
  });

  it('allow private addresses, and remove them again', async () => {
    const allowed = await command('allow-egress', '--company', '1', '--allow', '127.0.0.1:81, 10.0.0.0/8');
    expect(JSON.parse(allowed.output)).toEqual({ company_id: 1, egress_allow: ['127.0.0.1:81', '10.0.0.0/8'] });
    expect((await companies())[0]).toMatchObject({ egress_allow: ['127.0.0.1:81', '10.0.0.0/8'] });
    await command('allow-egress', '--company', '1', '--clear');
    expect((await companies())[0]).toMatchObject({ egress_allow: [] });
  });

  it('refuse a command line that is not understood, and print the usage', async () => {
    const { code, output, complaint } = await program('create-company');
    expect({ code, output }).toEqual({ code: 2, output: '' });
    expect(complaint).toContain('--name is missing');
    expect(complaint).toContain('signalbox admin');
  });

  it.each([
    [['create-key', '--company', '0', '--name', 'x', '--scopes', 'read'], '--company must be a whole number'],
    [['create-key', '--company', '1', '--name', 'x', '--scopes', 'root'], '--scopes takes some of read,write'],
    [['allow-egress', '--company', '1'], 'give either --allow'],
    [['allow-egress', '--company', '1', '--allow', 'everything'], '--allow takes host:port'],
    [['create-company', '--nmae', 'x'], "Unknown option '--nmae'"],
    [['dead-letters', 'drop', '--service', 'accounts'], 'give either --id ID or --all'],
    [['dead-letters', 'drop', '--service', 'nobody', '--all'], '--service must be one of accounts'],
    [['dead-letters'], 'there is no admin command "dead-letters"'],
    [['discarded-events', 'resend', '--service', 'nobody'], '--service must be one of accounts'],
    [['destroy'], 'there is no admin command "destroy"'],
  ])('refuse %j and print the usage', async (words, complaint) => {
    const refused = await command(...words);
    expect(refused).toMatchObject({ code: 2, output: '' });
    expect(refused.complaint).toContain(complaint);
    expect(refused.complaint).toContain('signalbox admin');
  });

  it('list, replay and drop the messages that a consumer could not apply', async () => {
    const { database_url } = JSON.parse(
      await readFile(join(platform.dataDir, 'run', 'endpoints.json'), 'utf8'),
    ) as Record<string, string>;
    const sql = new Client({ connectionString: database_url });
    await sql.connect();
    try {
      const entry = { action: 'update', resource_type: 'api_key', request_id: 'r', date_created: 1 };
      const insert = `INSERT INTO accounts.dead_letters (company_id, consumer, message_id, subject, payload, cause)
        VALUES (1, $1, $2, 'audit.1', $3, 'it was too early') RETURNING id`;
      const ids: string[] = [];
      for (const [consumer, payload] of [
        ['accounts-audit-log', { ...entry, resource_id: 'canary' }],
        ['accounts-audit-log', { ...entry, resource_id: null }],
        ['outbox', entry],
        ['gone', entry],
      ] as const)
        ids.push((await sql.query<{ id: string }>(insert, [consumer, randomUUID(), payload])).rows[0]!.id);
      const [good, bad, refused, unknown] = ids.map(Number);
      const listed = await command('dead-letters', 'list', '--service', 'accounts');
      expect(listed.output).not.toContain('canary');
      expect(JSON.parse(listed.output)).toMatchObject([
        { service: 'accounts', id: good, company_id: 1, consumer: 'accounts-audit-log', cause: 'it was too early' },
        { id: bad },
        { id: refused, consumer: 'outbox' },
        { id: unknown },
      ]);
      const replayed = await command('dead-letters', 'replay', '--service', 'accounts', '--all');
      expect(JSON.parse(replayed.output)).toEqual({
        replayed: [good, refused],
        failed: [
          { id: bad, cause: expect.any(String) },
          { id: unknown, cause: 'accounts has no consumer gone' },
        ],
      });
      const { rows } = await sql.query<{ resource_id: string }>(
        `SELECT resource_id FROM accounts.audit_log WHERE date_created = 1 AND resource_id = 'canary'`,
      );
      expect(rows).toHaveLength(1);
      const left = async () =>
        (JSON.parse((await command('dead-letters', 'list', '--service', 'accounts')).output) as { id: number }[]).map(
          ({ id }) => id,
        );
      expect(await left()).toEqual([bad, unknown]);
      const one = await command('dead-letters', 'drop', '--service', 'accounts', '--id', String(bad));
      expect(JSON.parse(one.output)).toEqual({ dropped: [bad] });
      const ofOne = await command('dead-letters', 'drop', '--service', 'accounts', '--all', '--consumer', 'gone');
      expect(JSON.parse(ofOne.output)).toEqual({ dropped: [unknown] });
      expect(await left()).toEqual([]);
    } finally {
      await sql.end();
    }
  });

  it('count and send again the events that the stream has discarded', async () => {
    const { database_url } = JSON.parse(
      await readFile(join(platform.dataDir, 'run', 'endpoints.json'), 'utf8'),
    ) as Record<string, string>;
    const sql = new Client({ connectionString: database_url });
    await sql.connect();
    try {
      const id = randomUUID();
      await sql.query(
        `INSERT INTO accounts.outbox (message_id, company_id, subject, payload, sent_at)
         SELECT $1::uuid, company_id, subject, payload, $2::bigint FROM accounts.outbox WHERE subject LIKE 'events.%' LIMIT 1`,
        [id, Date.now() - 3_600_000],
      );
      const discarded = async (what: string) =>
        JSON.parse((await command('discarded-events', what, '--service', 'accounts')).output) as unknown;
      const some = [{ service: 'accounts', messages: expect.any(Number) }];
      expect(await discarded('list')).toEqual(some);
      const began = Date.now();
      expect(await discarded('resend')).toEqual(some);
      const sentAt = async () => {
        const { rows } = await sql.query<{ sent_at: string | null }>(
          'SELECT sent_at FROM accounts.outbox WHERE message_id = $1',
          [id],
        );
        return Number(rows[0]?.sent_at);
      };
      await eventually('it is sent', async () => (await sentAt()) >= began);
      const again = await sentAt();
      await discarded('resend');
      expect(await sentAt()).toBe(again);
    } finally {
      await sql.end();
    }
  });

  it('pass on the error of the platform', async () => {
    const unknown = await program('create-key', '--company', '999', '--name', 'x', '--scopes', 'read');
    expect(unknown).toMatchObject({ code: 1, complaint: 'signalbox admin: company not found\n' });
    const tooLong = await command('create-company', '--name', 'x'.repeat(500));
    expect(tooLong).toMatchObject({ code: 1, complaint: expect.stringContaining('\n  name ') });
  });

  it('finish an interrupted first boot: a new key when it was not stored, never a second company', async () => {
    const before = await readFile(keyFile(), 'utf8');
    await platform.signal('SIGTERM');
    await platform.start();
    expect(await readFile(keyFile(), 'utf8')).toBe(before);
    expect(platform.output).not.toMatch(KEY);
    await platform.signal('SIGTERM');
    await rm(keyFile());
    await platform.start();
    const after = await readFile(keyFile(), 'utf8');
    expect(after).toMatch(KEY);
    expect(after).not.toBe(before);
    expect((await companies()).filter(({ name }) => name === 'demo')).toHaveLength(1);
  }, 60_000);
});

describe('without a platform', () => {
  const servers = { MASTER_KEY, DATABASE_URL: 'postgres://o:p@db:5432/signalbox', NATS_URL: 'nats://nats:4222' };

  it('a command reports it', async () => {
    const nowhere = await signalbox(['admin', 'list-companies'], { DATA_DIR: '/nonexistent' });
    expect(nowhere).toMatchObject({ code: 1, complaint: expect.stringContaining('no platform runs on /nonexistent') });
    const gone = await admin(['list-companies'], { NATS_URL: 'nats://127.0.0.1:9' });
    expect(gone).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('the bus at 127.0.0.1:9 cannot be used'),
    });
  });

  it('quarantined records are listed without their content, replayed into the spool and dropped', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'admin-quarantine-'));
    const { quarantine: folder, spool } = requestLogFolders(dir);
    const quarantine = new Quarantine(folder);
    const line = '{"company_id":3,"text":"canary"}';
    const ids: (string | null)[] = [];
    for (const request_id of ['a', 'b', 'c'])
      ids.push(await quarantine.add({ company_id: 3, request_id, reason: 'why', line }));
    const run = (...words: string[]) => admin(words, { DATA_DIR: dir });
    try {
      const listed = await signalbox(['admin', 'list-quarantined'], { DATA_DIR: dir });
      expect(listed).toMatchObject({ code: 0, complaint: '' });
      expect(listed.output).not.toContain('canary');
      const known = { company_id: 3, reason: 'why', bytes: line.length, quarantined_at: expect.any(Number) };
      const all = ['a', 'b', 'c'].map((request_id, at) => ({ ...known, id: ids[at], request_id }));
      expect(JSON.parse(listed.output)).toEqual(expect.arrayContaining(all));
      expect(JSON.parse((await run('replay-quarantined', '--id', ids[0] ?? '')).output)).toEqual({
        replayed: [ids[0]],
      });
      const [file, ...others] = await readdir(spool);
      expect(others).toEqual([]);
      expect(await readFile(join(spool, file!), 'utf8')).toBe(`${line}\n`);
      expect(await run('drop-quarantined', '--id', ids[0] ?? '')).toMatchObject({
        code: 1,
        complaint: `signalbox admin: no record ${ids[0]} is in quarantine\n`,
      });
      expect(await run('drop-quarantined')).toMatchObject({ code: 2, output: '' });
      const dropped = JSON.parse((await run('drop-quarantined', '--all')).output) as { dropped: string[] };
      expect(dropped.dropped.sort()).toEqual(ids.slice(1).sort());
      expect((await run('list-quarantined')).output).toBe('[]\n');
    } finally {
      await rm(dir, { recursive: true });
    }
  });

  it('the logins of a deployment are derived from the master key', async () => {
    const natsConfig = ['nats-config', '--port', '4333'];
    const first = await signalbox(['admin', ...natsConfig], { MASTER_KEY });
    const second = await admin(natsConfig, { MASTER_KEY });
    expect(first.output).toBe(second.output);
    expect(first.output).toContain('listen: "0.0.0.0:4333"');
    const urls = JSON.parse((await admin(['role-urls'], servers)).output) as Record<string, object>;
    expect(urls.accounts).toMatchObject({
      NATS_URL: expect.stringMatching(/^nats:\/\/accounts:[0-9a-f]{64}@nats:4222$/),
      DATABASE_URL: expect.stringMatching(/^postgres:\/\/svc_accounts:[0-9a-f]{64}@db:5432\/signalbox$/),
    });
    expect(Object.keys(urls.gateway!)).toEqual(['NATS_URL', 'IDEMPOTENCY_KEY']);
    expect(Object.keys(urls.completions!)).toEqual([
      'NATS_URL',
      'COMPLETIONS_NATS_URL',
      'COMPLETIONS_DATABASE_URL',
      'COMPLETIONS_WORKER_DATABASE_URL',
      'COMPLETIONS_PROVIDER_SEAL_KEY',
      'IDEMPOTENCY_KEY',
    ]);
    expect(JSON.stringify(urls)).not.toContain(MASTER_KEY);
    const lines = await admin(['role-urls', '--service', 'cli', '--env'], servers);
    expect(lines.output).toMatch(/^NATS_URL=nats:\/\/cli:[0-9a-f]{64}@nats:4222\n$/);
    expect(await admin(['nats-config'], { DATA_DIR: '/nonexistent' })).toMatchObject({ code: 1 });
  });

  it('a command that nobody reads ends with its own exit code', async () => {
    const bin = join(ROOT, 'apps/cli/bin/signalbox.mjs');
    const child = spawn(process.execPath, [bin, 'admin', 'role-urls'], { env: servers });
    child.stdout.destroy();
    let complaint = '';
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect({ code, complaint }).toEqual({ code: 0, complaint: '' });
  });

  it('help is printed without any setting', async () => {
    expect(await signalbox(['admin', 'create-key', '--help'], {})).toMatchObject({ code: 0 });
    expect(await signalbox(['nonsense'], {})).toMatchObject({ code: 2 });
  });
});
