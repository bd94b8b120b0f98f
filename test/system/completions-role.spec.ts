import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { freePort } from '@signalbox/servers';
import { ApiClient, atMost, completionsEnv, Platform, type TestCompany } from '@signalbox/testing';

let platform: Platform;
let company: TestCompany;
let completionsPort: number;

const NO_LOGINS = {
  COMPLETIONS_NATS_URL: '',
  COMPLETIONS_DATABASE_URL: '',
  COMPLETIONS_WORKER_DATABASE_URL: '',
  COMPLETIONS_PROVIDER_SEAL_KEY: '',
};

const ask = (port: number, method: string, path: string, body?: object, key = company.key) =>
  new ApiClient(`http://127.0.0.1:${port}/api/v1`, key).send<Record<string, unknown>>(method, path, body);

const complete = (port: number, key?: string) => {
  const messages = [{ role: 'user', content: `hello ${randomUUID()}` }];
  return ask(port, 'POST', '/chat/completions', { model: 'simulated-echo', messages }, key);
};

beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic']);
  completionsPort = await freePort();
  const [servers, port] = [platform.servers, String(completionsPort)];
  await Promise.all([
    platform.restartService('gateway', NO_LOGINS),
    platform.startService('completions', 'completions', { ...completionsEnv(servers), PORT: port }),
  ]);
  company = await platform.company();
  expect((await complete(completionsPort)).status).toBe(200);
}, 120_000);
afterAll(() => platform.stop());

describe('completions in a separate process', () => {
  it('are found by every reader through the gateway, at once', async () => {
    for (let call = 0; call < 20; call++) {
      const { status, body } = await complete(completionsPort);
      expect(status).toBe(200);
      const read = await ask(platform.port, 'GET', `/requests/${String(body.request_id)}`);
      expect([call, read.status]).toEqual([call, 200]);
    }
  });

  it('are found although Postgres takes seconds to store them', async () => {
    const blocker = await platform.sql.connect();
    await blocker.query('BEGIN; LOCK TABLE traffic.requests IN SHARE MODE');
    const { status, body } = await complete(completionsPort);
    expect(status).toBe(200);
    // Above the time after which a writer that announces itself no longer is ignored.
    const unblocked = setTimeout(3000).then(() => blocker.query('COMMIT'));
    const read = await ask(platform.port, 'GET', `/requests/${String(body.request_id)}`);
    expect(read.status).toBe(200);
    await unblocked;
    blocker.release();
  });

  it('are found although another recording process was killed', async () => {
    const port = await freePort();
    const more = { ...completionsEnv(platform.servers), PORT: String(port) };
    await platform.startService('completions', 'second', more);
    expect((await complete(port)).status).toBe(200);
    await platform.service('second').kill('SIGKILL');
    const { body } = await complete(completionsPort);
    const read = await ask(platform.port, 'GET', `/requests/${String(body.request_id)}`);
    expect(read.status).toBe(200);
  });

  it('are 404 when no process has recorded them', async () => {
    expect((await ask(platform.port, 'GET', `/requests/${randomUUID()}`)).status).toBe(404);
  });

  it('are the only routes that the process serves', async () => {
    expect((await ask(completionsPort, 'GET', '/requests')).status).toBe(404);
    expect((await ask(completionsPort, 'GET', '/agents')).status).toBe(404);
    expect((await ask(completionsPort, 'GET', '/chat/completions')).status).toBe(405);
  });

  it('are served by the gateway through the traffic service where nothing routes them', async () => {
    const { status, body } = await complete(platform.port);
    expect(status).toBe(200);
    expect((await ask(platform.port, 'GET', `/requests/${String(body.request_id)}`)).status).toBe(200);
  });

  it('accept no more keys than those that are valid now', async () => {
    const made = await ask(platform.port, 'POST', '/api-keys', { name: 'short', scopes: ['invoke'] });
    const { id, key } = made.body.data as { id: number; key: string };
    const use = async (): Promise<number> => (await complete(completionsPort, key)).status;
    expect(await use()).toBe(200);
    expect((await ask(platform.port, 'DELETE', `/api-keys/${id}`)).status).toBeLessThan(300);
    // A deleted key is refused within five seconds in every process.
    expect(await atMost(5000, async () => (await use()) === 401)).toBe(true);
  });
});
