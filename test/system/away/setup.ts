import { applications, type Class, CONTRACTS, fieldsOf } from '@signalbox/contracts';
import { freePort } from '@signalbox/servers';
import { eventually, type ObjectServer, Platform, startObjectServer, type TestCompany } from '@signalbox/testing';

/** A gateway with the services that completions need, and its health port. */
export let platform: Platform;
let company: TestCompany;
export let objects: ObjectServer;
let healthPort: number;
let applicationId: number;
beforeAll(async () => {
  [objects, healthPort] = await Promise.all([startObjectServer(), freePort()]);
  platform = await Platform.start({
    services: ['accounts', 'traffic', 'agents', 'workflows', 'runner', 'monitors', 'test-runs', 'training'],
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
/** Dependencies between services. */
const ALSO_NEEDS: Record<string, string[]> = {
  [`/applications/${APPLICATION}/agents`]: ['agents'],
  [`/applications/${APPLICATION}/workflows`]: ['traffic'],
  [`/applications/${APPLICATION}/workflow-runs`]: ['traffic'],
  '/releases': ['workflows', 'monitors'],
};
const needsMore = (input: Class): boolean =>
  [...fieldsOf(input).values()].some(({ name, optional }) => !optional && name !== 'application_id');
/** The GET endpoints of every family that need only a key and an application. */
export const LISTS = CONTRACTS.flatMap(({ tag, service, endpoints }) =>
  Object.values(endpoints)
    .filter(({ method, path, input }) => method === 'GET' && path !== null && !needsMore(input))
    .map(({ path, endless = false }) => ({
      tag,
      services: [service, ...(ALSO_NEEDS[String(path)] ?? [])],
      path: String(path),
      endless,
    })),
);

/** Longer than the deadline of a plain call: what is asserted is how a call ends. */
const REPLY_MS = 60_000;
/** An idle connection may be closed by the gateway at the moment in which a slow machine uses it again. */
const UNSHARED = { Connection: 'close' };

async function get(path: string, endless: boolean): Promise<number> {
  const reply = await fetch(platform.baseUrl + path.replace(APPLICATION, String(applicationId)), {
    headers: { 'X-Service-Api-Key': company.key, ...UNSHARED },
    signal: AbortSignal.timeout(REPLY_MS),
  });
  await (endless ? reply.body?.cancel() : reply.text());
  return reply.status;
}

/** The status of a chat completion. */
export async function complete(): Promise<number> {
  const reply = await fetch(`${platform.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'X-Service-Api-Key': company.key, 'Content-Type': 'application/json', ...UNSHARED },
    body: JSON.stringify({ model: 'simulated-echo', messages: [{ role: 'user', content: 'hello' }] }),
    signal: AbortSignal.timeout(REPLY_MS),
  });
  await reply.text();
  return reply.status;
}

/** A failed test leaves every dependency running for the next one. */
afterEach(async () => {
  for (const name of ['accounts', 'traffic', 'agents', 'monitors'])
    if (!platform.service(name).running) await platform.service(name).start();
}, 60_000);

/** Lists that no table is read for. */
export const WITHOUT_TABLES = ['/webhooks/event-types', '/events', '/workflows/default-script', '/workflows/languages'];

/** The status of every list by its path. */
export const statuses = async () =>
  Object.fromEntries(
    await Promise.all(LISTS.map(async ({ path, endless }) => [path, await get(path, endless)] as const)),
  );
/** The expected status of every list while some services are away. */
export const expected = (isAlive: (service: string) => boolean) =>
  Object.fromEntries(LISTS.map(({ path, services }) => [path, services.every(isAlive) ? 200 : 503]));

/** The probe of the gateway. */
export const isReady = async () => (await fetch(`http://127.0.0.1:${healthPort}/readyz`)).ok;
const report = async () => (await fetch(`http://127.0.0.1:${platform.port}/readyz`)).status;
/** The report is cached for a moment, so a change appears a little later. */
export const reportIs = (status: number) =>
  eventually(`the report is ${status}`, async () => (await report()) === status);

/** Every endpoint replies, completions included. */
export async function allReply(): Promise<void> {
  // One request, repeated until it succeeds, instead of all of them.
  await reportIs(200);
  await eventually('every endpoint replies', async () => {
    const all = Object.values(await statuses());
    return all.every((status) => status === 200) && (await complete()) === 200;
  });
}
