import { randomUUID } from 'node:crypto';
import { models, providers, webhooks } from '@signalbox/contracts';
import { providerContext, Seal, WEBHOOK_KIND, webhookContext } from '@signalbox/platform';
import { keyedCredentials, type MasterKeys, serviceCredentials, serviceKey } from '@signalbox/servers';
import {
  eventually,
  type ModelProvider,
  Platform,
  startModelProvider,
  type TestCompany,
  TEST_MASTER_KEY,
} from '@signalbox/testing';
import { Client } from 'pg';
import { NEW_MASTER_KEY, RotationOperator, STEPS } from './rotation/operator.js';

const SERVICES = ['accounts', 'traffic', 'gateway'];
/** More than three slices. */
const MANY = 1700;
const SECRET_HEADER = 'x-secret-token';

let platform: Platform;
let provider: ModelProvider;
let operator: RotationOperator;
let company: TestCompany;
let unusedKey: string;
let cookie: string;
let webhookId: number;
let webhookSecret: string;
const idempotencyKey = randomUUID();

const call = (path: string, init: RequestInit = {}, key = company.key): Promise<Response> =>
  fetch(`${platform.baseUrl}${path}`, {
    ...init,
    headers: { 'X-Service-Api-Key': key, 'Content-Type': 'application/json', ...(init.headers as object) },
  });

const post = (path: string, body: object, headers: Record<string, string> = {}): Promise<Response> =>
  call(path, { method: 'POST', body: JSON.stringify(body), headers });

const complete = (): Promise<Response> =>
  post('/chat/completions', { model: 'm', messages: [{ role: 'user', content: 'hello' }] });

/** Replaces each process by one with the logins and keys of a step. */
async function restart(keys: MasterKeys): Promise<void> {
  const secrets = await operator.secrets(keys);
  const completions = Object.entries(secrets('completions')).filter(([name]) => name.startsWith('COMPLETIONS_'));
  for (const name of SERVICES) {
    const env = { ...secrets(name), ...(name === 'gateway' ? Object.fromEntries(completions) : {}) };
    await platform.restartService(name, env);
  }
  await eventually('the platform serves', async () => (await call('/models')).ok, 60_000);
}

/** Everything that a stored secret is needed for. */
async function expectAllWorks(): Promise<void> {
  const reply = await complete();
  expect([reply.status, await reply.clone().text()]).toEqual([200, await reply.text()]);
  const sent = provider.calls.at(-1)?.headers;
  expect(sent).toMatchObject({ authorization: 'Bearer sk-from-before', [SECRET_HEADER]: 'hidden' });
  const page = `http://127.0.0.1:${platform.port}/c/${company.companyId}/session`;
  const session = await fetch(page, { headers: { cookie, 'Sec-Fetch-Site': 'same-origin' } });
  expect(session.status).toBe(200);
  const { rows } = await platform.sql.query<{ secret: Buffer }>('SELECT secret FROM accounts.webhooks WHERE id = $1', [
    webhookId,
  ]);
  const keys = [serviceKey(NEW_MASTER_KEY, 'WEBHOOK_SEAL_KEY'), serviceKey(TEST_MASTER_KEY, 'WEBHOOK_SEAL_KEY')];
  const seal = new Seal(WEBHOOK_KIND, keys);
  expect(seal.open(webhookContext(company.companyId), rows[0]!.secret)).toBe(webhookSecret);
}

const repeated = (): Promise<Response> =>
  post('/applications', { application_name: 'once' }, { 'Idempotency-Key': idempotencyKey });

async function idOfOnce(reply: Promise<Response>): Promise<number> {
  const response = await reply;
  const text = await response.text();
  expect([response.status, text]).toEqual([200, text]);
  return (JSON.parse(text) as { data: { id: number } }).data.id;
}

/** Whether a login is accepted by Postgres. */
async function canLogIn(user: string, password: string): Promise<boolean> {
  const url = new URL(platform.servers.postgres.url);
  [url.username, url.password] = [user, password];
  const client = new Client({ connectionString: url.href });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A value that was restored without the key that sealed it, before all others. */
async function addBrokenProvider(): Promise<void> {
  const { rows } = await platform.sql.query<{ id: number }>(
    `INSERT INTO traffic.providers (company_id, provider_name, kind, base_url, status)
     VALUES ($1, 'broken', 'openai_compatible', 'http://127.0.0.1:1', 'ENABLED') RETURNING id`,
    [company.companyId],
  );
  const id = rows[0]!.id;
  const seal = new Seal('provider', [serviceKey('a master key that was lost before', 'PROVIDER_SEAL_KEY')]);
  await platform.sql.query('UPDATE traffic.providers SET api_key_sealed = $3 WHERE company_id = $1 AND id = $2', [
    company.companyId,
    id,
    seal.seal(providerContext(company.companyId, id, 'api_key'), 'sk-lost'),
  ]);
}

/** Values that the old key sealed for many providers, as of a platform that has been used for years. */
async function addManyProviders(): Promise<void> {
  const seal = new Seal('provider', [serviceKey(TEST_MASTER_KEY, 'PROVIDER_SEAL_KEY')]);
  const { rows } = await platform.sql.query<{ id: number }>(
    `INSERT INTO traffic.providers (company_id, provider_name, kind, base_url, status)
     SELECT $1, 'p' || n, 'openai_compatible', 'http://127.0.0.1:1', 'ENABLED' FROM generate_series(1, ${MANY}) n RETURNING id`,
    [company.companyId],
  );
  const sealed = rows.map(({ id }) => seal.seal(providerContext(company.companyId, id, 'api_key'), `sk-${id}`));
  await platform.sql.query(
    `UPDATE traffic.providers p SET api_key_sealed = v.sealed FROM unnest($2::int[], $3::bytea[]) v (id, sealed)
     WHERE p.company_id = $1 AND p.id = v.id`,
    [company.companyId, rows.map(({ id }) => id), sealed],
  );
}

async function addSecrets(): Promise<void> {
  const caller = platform.caller(company.companyId);
  const { id: provider_id } = await platform.bus.call(
    providers.endpoints.createProvider,
    {
      provider_name: 'outside',
      kind: 'openai_compatible',
      base_url: provider.url,
      api_key: 'sk-from-before',
      default_headers: { [SECRET_HEADER]: 'hidden' },
      timeout_ms: 30_000,
      status: 'ENABLED',
    },
    caller,
  );
  const able = { supports_tools: true, supports_json_schema: true, trainable: false, status: 'ENABLED' } as const;
  await platform.bus.call(models.endpoints.createModel, { model_name: 'm', provider_id, ...able }, caller);
  const webhook = await platform.bus.call(
    webhooks.endpoints.createWebhook,
    { url: `${provider.url}/hook`, events: ['agent.created'], description: null, enabled: true },
    caller,
  );
  [webhookId, webhookSecret] = [webhook.id, webhook.secret ?? ''];
  const made = await post('/api-keys', { name: 'unused until the end', scopes: ['read'] });
  unusedKey = ((await made.json()) as { data: { key: string } }).data.key;
  const login = await fetch(`http://127.0.0.1:${platform.port}/portal/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
    body: JSON.stringify({ key: company.key }),
  });
  cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  expect([login.status, cookie]).toEqual([200, expect.stringContaining('=')]);
}

describe('a change of the master key', () => {
  beforeAll(async () => {
    provider = await startModelProvider();
    platform = await Platform.start({ services: SERVICES, env: { EGRESS_ALLOW: `127.0.0.1:${provider.port}` } });
    operator = new RotationOperator(platform.servers);
    company = await platform.company();
    await addSecrets();
    await addBrokenProvider();
    await addManyProviders();
  }, 180_000);
  afterAll(async () => {
    await platform?.stop();
    await provider.close();
  });

  it('lets processes accept both keys', async () => {
    const id = await idOfOnce(repeated());
    await operator.succeeding(STEPS.accepting, 'migrate');
    await operator.reloadBus(STEPS.accepting);
    await restart(STEPS.accepting);
    await expectAllWorks();
    expect(await idOfOnce(repeated())).toBe(id);
  }, 180_000);

  it('seals nothing while a process does not seal with the new key yet', async () => {
    await operator.succeeding(STEPS.changed, 'migrate');
    const refused = await operator.run(STEPS.changed, 'admin', 'rotate-master-key');
    expect(refused).toMatchObject({ code: 1, output: '' });
    expect(refused.errors).toContain('processes still log in as svc_accounts');
  }, 60_000);

  it('lets processes seal with the new key and still read what the old one sealed', async () => {
    const id = await idOfOnce(repeated());
    await restart(STEPS.changed);
    await expectAllWorks();
    expect(await idOfOnce(repeated())).toBe(id);
  }, 180_000);

  it('counts what is left, and continues where it was killed', async () => {
    const left = async (): Promise<number> => {
      const { code, output } = await operator.run(STEPS.changed, 'admin', 'rotate-master-key', '--check');
      expect(code).toBe(1);
      return Number(/traffic\.providers\.api_key_sealed: (\d+) of/.exec(output)?.[1]);
    };
    const all = await left();
    expect(all).toBe(MANY + 2);
    expect(await operator.killed(STEPS.changed, 'admin', 'rotate-master-key')).toContain('sealed 499 values anew');
    const rest = await left();
    expect(rest).toBeLessThan(all);
    expect(rest).toBeGreaterThan(0);
    await expectAllWorks();
    const ended = await operator.run(STEPS.changed, 'admin', 'rotate-master-key');
    expect(ended).toMatchObject({
      code: 1,
      output: expect.stringContaining('providers.api_key_sealed: 1 of') as string,
    });
    expect(ended.errors).toContain(
      `neither key opens traffic.providers.api_key_sealed of company ${company.companyId}`,
    );
    await platform.sql.query(`UPDATE traffic.providers SET api_key_sealed = NULL WHERE provider_name = 'broken'`);
    expect(await operator.succeeding(STEPS.changed, 'admin', 'rotate-master-key')).toContain(
      'Every value opens with MASTER_KEY alone',
    );
    await expectAllWorks();
  }, 180_000);

  it('ends with a platform that knows the new key alone', async () => {
    await operator.succeeding(STEPS.after, 'migrate');
    await operator.reloadBus(STEPS.after);
    // Processes that have not been replaced yet go on.
    await expectAllWorks();
    await restart(STEPS.after);
    await expectAllWorks();
    expect((await call('/models', {}, unusedKey)).status).toBe(200);
    await operator.succeeding(STEPS.after, 'admin', 'rotate-master-key', '--check');
  }, 180_000);

  it('leaves nothing that the old key opens', async () => {
    const before = await operator.run(STEPS.before, 'admin', 'rotate-master-key', '--check');
    const counts = [...before.output.matchAll(/: (\d+) of (\d+)/g)].map(([, others, total]) => [others, total]);
    expect(counts.length).toBeGreaterThan(4);
    for (const [others, total] of counts) expect(others).toBe(total);
    const { role, password } = serviceCredentials(TEST_MASTER_KEY, 'traffic');
    const anew = keyedCredentials(NEW_MASTER_KEY, 'traffic');
    expect(await canLogIn(role, password)).toBe(false);
    expect(await canLogIn(anew.role, anew.password)).toBe(true);
    const refused = await operator.run(STEPS.before, 'admin', 'list-companies');
    expect(refused).toMatchObject({ code: 1, output: '' });
  }, 60_000);
});
