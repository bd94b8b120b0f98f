import { applications, CONTRACTS } from '@signalbox/contracts';
import { freePort } from '@signalbox/servers';
import { eventually, type ObjectServer, Platform, startObjectServer, type TestCompany } from '@signalbox/testing';

let platform: Platform;
let company: TestCompany;
let objects: ObjectServer;
let healthPort: number;
let applicationId: number;
beforeAll(async () => {
  [objects, healthPort] = await Promise.all([startObjectServer(), freePort()]);
  platform = await Platform.start({
    services: ['accounts', 'traffic', 'agents'],
    env: { OBJECT_STORE_URL: objects.urlWith(), EGRESS_ALLOW: '127.0.0.1/32' },
  });
  await platform.startService('gateway', 'gateway', { HEALTH_PORT: String(healthPort) });
  company = await platform.company();
  const made = { application_name: 'away', application_ref_name: 'away' };
  ({ id: applicationId } = await platform.bus.call(
    applications.endpoints.createApplication,
    made as never,
    platform.caller(company.companyId),
  ));
}, 90_000);
afterAll(async () => {
  await platform?.stop();
  await objects?.stop();
});

const APPLICATION = '{application_id}';
/** What one service reads from another. */
const ALSO_NEEDS: Record<string, string[]> = { [`/applications/${APPLICATION}/agents`]: ['agents'] };
/** The GETs that need nothing but a key and an application, in every family. */
const LISTS = CONTRACTS.flatMap(({ tag, service, endpoints }) =>
  Object.values(endpoints)
    .filter(({ method, path }) => method === 'GET' && path !== null && !path.replace(APPLICATION, '').includes('{'))
    .map(({ path }) => ({ tag, services: [service, ...(ALSO_NEEDS[String(path)] ?? [])], path: String(path) })),
);

async function get(path: string): Promise<number> {
  const reply = await fetch(platform.baseUrl + path.replace(APPLICATION, String(applicationId)), {
    headers: { 'X-Service-Api-Key': company.key },
    signal: AbortSignal.timeout(15_000),
  });
  await reply.text();
  return reply.status;
}

async function complete(): Promise<number> {
  const reply = await fetch(`${platform.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'X-Service-Api-Key': company.key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ model: 'simulated-echo', messages: [{ role: 'user', content: 'hello' }] }),
    signal: AbortSignal.timeout(15_000),
  });
  await reply.text();
  return reply.status;
}

/** A failed test leaves nothing away for the next one. */
afterEach(async () => {
  for (const name of ['accounts', 'traffic', 'agents'])
    if (!platform.service(name).running) await platform.service(name).start();
}, 60_000);

/** The status of every list by its path. */
const statuses = async () =>
  Object.fromEntries(await Promise.all(LISTS.map(async ({ path }) => [path, await get(path)] as const)));
const expected = (isAlive: (service: string) => boolean) =>
  Object.fromEntries(LISTS.map(({ path, services }) => [path, services.every(isAlive) ? 200 : 503]));

const isReady = async () => (await fetch(`http://127.0.0.1:${healthPort}/readyz`)).ok;
const report = async () => (await fetch(`http://127.0.0.1:${platform.port}/readyz`)).status;

/** Everything answers, completions included. */
const allWell = () =>
  eventually('everything answers', async () => {
    const all = Object.values(await statuses());
    return all.every((status) => status === 200) && (await complete()) === 200;
  });

it('has lists in every family', async () => {
  const families = new Set(CONTRACTS.filter(hasPath).map(({ tag }) => tag));
  expect([...families].filter((tag) => !LISTS.some((list) => list.tag === tag))).toEqual(['Chat completions']);
  await allWell();
  expect([await isReady(), await report()]).toEqual([true, 200]);
});

const hasPath = ({ endpoints }: (typeof CONTRACTS)[number]): boolean =>
  Object.values(endpoints).some(({ path }) => path !== null);

it.each(['traffic', 'agents'])(
  'goes on without the %s service: other families answer, and the gateway stays ready',
  async (dead) => {
    await platform.service(dead).kill('SIGKILL');
    expect(await statuses()).toEqual(expected((service) => service !== dead));
    expect([await isReady(), await report(), await complete()]).toEqual([true, 503, 200]);
    await platform.service(dead).start();
    await allWell();
  },
  90_000,
);

it('goes on without the object store', async () => {
  await objects.stop();
  expect(await statuses()).toEqual(expected(() => true));
  expect([await isReady(), await report(), await complete()]).toEqual([true, 503, 200]);
  await objects.restart();
  await eventually('the report is good again', async () => (await report()) === 200);
}, 90_000);

/** Completes a call every second for longer than half a minute. */
async function completeFor31Seconds(): Promise<number[]> {
  const seen: number[] = [];
  for (const end = Date.now() + 31_000; Date.now() < end; await new Promise((next) => setTimeout(next, 1000)))
    seen.push(await complete());
  return seen;
}

it('completes chats for more than 30 s without Postgres, and stays ready', async () => {
  await allWell();
  await platform.servers.postgres.stop('immediate');
  const seen = await completeFor31Seconds();
  expect([new Set(seen), seen.length > 10]).toEqual([new Set([200]), true]);
  expect([await isReady(), await report()]).toEqual([true, 503]);
  expect(new Set(Object.values(await statuses()))).toEqual(new Set([503]));
  await platform.servers.restartPostgres('immediate');
  await allWell();
}, 150_000);

it('completes chats for more than 30 s without the message bus, and stays ready', async () => {
  await allWell();
  await platform.servers.nats.stop();
  const seen = await completeFor31Seconds();
  expect([new Set(seen), seen.length > 10]).toEqual([new Set([200]), true]);
  expect([await isReady(), await report()]).toEqual([true, 503]);
  await platform.servers.restartNats({ forget: false });
  await allWell();
}, 150_000);

it('completes chats for more than 30 s without accounts, and lists what others keep', async () => {
  await allWell();
  await platform.service('accounts').kill('SIGKILL');
  const seen = await completeFor31Seconds();
  expect([new Set(seen), seen.length > 10]).toEqual([new Set([200]), true]);
  expect(await statuses()).toEqual(expected((service) => service !== 'accounts'));
  await platform.service('accounts').start();
  await allWell();
}, 150_000);
