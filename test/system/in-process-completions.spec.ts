import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { eventSubject, requests } from '@signalbox/contracts';
import { eventually, Platform, type TestCompany, timeScale } from '@signalbox/testing';

let platform: Platform;
let company: TestCompany;

const ask = (method: string, path: string, body?: object) =>
  platform.api(company.key).send<Record<string, unknown>>(method, path, body);

const complete = (more: object = {}) =>
  ask('POST', '/chat/completions', {
    model: 'simulated-echo',
    messages: [{ role: 'user', content: 'hello' }],
    ...more,
  });

async function isRecorded(id: unknown): Promise<boolean> {
  const found = await platform.sql.query('SELECT 1 FROM traffic.requests WHERE request_id = $1', [id]);
  return found.rowCount === 1;
}

beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'gateway']);
  company = await platform.company();
  expect((await complete()).status).toBe(200);
}, 90_000);
afterAll(() => platform.stop());

it('shows a reader its own writes, whichever process recorded them', async () => {
  for (let call = 0; call < 20; call++) {
    const { body } = await complete();
    const read = await ask('GET', `/requests/${String(body.request_id)}`);
    expect([read.status, (read.body.data as Record<string, unknown>).status]).toEqual([200, 'COMPLETED']);
  }
});

it('shows a record of a process that does nothing for two seconds', async () => {
  const { body } = await complete();
  const gateway = platform.service('gateway');
  await gateway.kill('SIGSTOP');
  const continued = setTimeout(2500).then(() => gateway.kill('SIGCONT'));
  const read = platform.bus.call(
    requests.endpoints.getRequest,
    { request_id: String(body.request_id) },
    platform.caller(company.companyId),
  );
  await expect(read).resolves.toMatchObject({ request_id: body.request_id });
  await continued;
});

it('has the traffic service relay its own commits at once', async () => {
  const received: string[] = [];
  const stop = platform.connection.listen(eventSubject(company.companyId, 'request.completed'), (payload) =>
    received.push(Buffer.from(payload).toString()),
  );
  const began = performance.now();
  for (let answer = 0; answer < 20; answer++) {
    const request_id = randomUUID();
    const stored = await ask('PUT', '/chat/completions/response', {
      chat_completion_request: { messages: [{ role: 'user', content: 'hello' }], request_id },
      chat_completion_response: { choices: [{ message: { role: 'assistant', content: 'hi' } }] },
    });
    expect([stored.status, stored.body]).toMatchObject([200, { data: { request_id, created: true } }]);
    await eventually('its event is received', () => received.some((event) => event.includes(request_id)));
  }
  stop();
  // Without notifications a relay finds one of them each second, and all in 20 s.
  expect(performance.now() - began).toBeLessThan(10_000 * timeScale());
});

it('continues without the traffic service, and records its calls', async () => {
  await platform.service('traffic').kill('SIGKILL');
  const calls = await Promise.all(Array.from({ length: 10 }, () => complete({ application: `app ${randomUUID()}` })));
  expect(calls.map(({ status }) => status)).toEqual(calls.map(() => 200));
  for (const { body } of calls) await eventually('it is recorded', () => isRecorded(body.request_id), 20_000);
  expect((await ask('GET', '/requests')).status).toBe(503);
  await platform.service('traffic').start();
});

it('lets a deleted session be used by another application at once', async () => {
  const session_id = `s-${randomUUID()}`;
  expect((await complete({ session_id, application: 'one' })).status).toBe(200);
  expect((await complete({ session_id, application: 'two' })).status).toBe(409);
  expect((await ask('DELETE', `/sessions/${session_id}`)).status).toBe(200);
  await eventually('the session is free', async () => {
    return (await complete({ session_id, application: 'two' })).status === 200;
  });
});

it('loses no record with the process that served the call', async () => {
  // With the table locked, the replies are sent and the rows cannot be stored yet.
  const locker = await platform.sql.connect();
  await locker.query('BEGIN; LOCK TABLE traffic.requests IN ACCESS EXCLUSIVE MODE');
  const calls = await Promise.all(Array.from({ length: 20 }, () => complete()));
  await platform.service('gateway').kill('SIGKILL');
  await locker.query('ROLLBACK');
  locker.release();
  for (const { body } of calls) await eventually('it is recorded', () => isRecorded(body.request_id), 30_000);
  await platform.service('gateway').start();
}, 60_000);

it('starts without a database, and serves once it is available', async () => {
  await platform.service('gateway').kill('SIGKILL');
  await platform.servers.postgres.stop('immediate');
  await platform.service('gateway').start();
  expect((await fetch(`http://127.0.0.1:${platform.port}/healthz`)).status).toBe(200);
  await platform.servers.restartPostgres('immediate');
  await eventually('calls succeed', async () => (await complete()).status === 200, 30_000);
  await platform.service('traffic').kill('SIGKILL');
  await eventually('they are served here', async () => (await complete()).status === 200, 30_000);
  await platform.service('traffic').start();
}, 90_000);

it('calls the traffic service when it has no login of that service', async () => {
  await platform.service('gateway').kill('SIGTERM');
  await platform.startService('gateway', 'gateway', { COMPLETIONS_DATABASE_URL: '' });
  expect((await complete()).status).toBe(200);
  await platform.service('traffic').kill('SIGKILL');
  expect((await complete()).status).toBe(503);
});
