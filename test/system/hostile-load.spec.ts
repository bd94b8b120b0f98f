import { setTimeout as pause } from 'node:timers/promises';
import {
  type Attack,
  attacksOn,
  ConnectionFlood,
  RawClient,
  errorProblems,
  eventually,
  exchange,
  type ConnectionOutcome,
  Platform,
  repliesIn,
  startHttpTarget,
  type HttpTarget,
  PlatformMonitor,
  ConformanceFixtures,
  timeScale,
} from '@signalbox/testing';

/** Times what is promised, and more where the machine is slow: other work shares it. */
const SLACK = 5 * timeScale();
/** Twice the deadline of a call: what an attack costs others is told by them, not by the time that it waits itself. */
const REPLY_MS = 60_000;
/** Five times what is promised as well. */
const MOST_GROWN_MB = 250;
/** How many timers of this process elapse during one call; each is delayed as in an idle process. */
const DELAYED_TIMERS = 10;

let platform: Platform;
let callbackTarget: HttpTarget;
let fixtures: ConformanceFixtures;
let otherKey: string;
let monitor: PlatformMonitor;

const refusals = ({ text }: Pick<ConnectionOutcome, 'text'>, statuses: readonly number[]): string[] =>
  repliesIn(text).flatMap(({ status, body, headers }) =>
    errorProblems({ status, text: body, contentType: headers.get('content-type') ?? '', head: '' }, statuses),
  );

beforeAll(async () => {
  callbackTarget = await startHttpTarget();
  const env = { EGRESS_ALLOW: `127.0.0.1:${callbackTarget.port}` };
  platform = await Platform.start({ services: ['accounts', 'traffic', 'agents', 'gateway'], env });
  const { companyId, key } = await platform.company();
  fixtures = new ConformanceFixtures(new RawClient(platform.baseUrl), companyId, key, callbackTarget);
  otherKey = (await platform.company()).key;
}, 90_000);
afterAll(async () => {
  await platform.stop();
  await callbackTarget.close();
});
beforeEach(async () => {
  monitor = await PlatformMonitor.of(platform, otherKey);
});
afterEach(async () => {
  const signs = await monitor.stop();
  expect(signs.goodShare).toBeGreaterThanOrEqual(0.95);
  expect(signs.healthP99Ms).toBeLessThanOrEqual(250 * SLACK + signs.lagP99Ms * DELAYED_TIMERS);
  expect(signs.grownMb).toBeLessThanOrEqual(MOST_GROWN_MB);
});

it('refuses each request that is built to be expensive', async () => {
  const agentId = Number(await fixtures.idOf(fixtures.agent()));
  const problems: string[] = [];
  for (const { name, bytes, statuses, keepsAlive } of attacksOn({ key: fixtures.key, agentId }) as Attack[]) {
    const { text, ms } = await exchange(platform.port, bytes, !keepsAlive);
    const [reply] = repliesIn(text);
    if (!reply || !statuses.includes(reply.status)) problems.push(`${name}: ${text.slice(0, 20)} ${text.slice(-300)}`);
    else if (reply.status >= 400)
      problems.push(...refusals({ text }, statuses).map((problem) => `${name}: ${problem}`));
    if (ms > REPLY_MS * timeScale()) problems.push(`${name}: reply after ${Math.round(ms)} ms`);
  }
  expect(problems).toEqual([]);
}, 60_000);

it('matches a pattern of exponential backtracking in linear time', async () => {
  const agent_id = Number(await fixtures.idOf(fixtures.newAgent()));
  const call = (path: string, body: object) =>
    platform.api(fixtures.key).send('POST', `/agents/${agent_id}/routing/${path}`, body);
  const conditions = [{ target_type: 'message', operator: 'matches', value: '^(a+)+$' }];
  expect((await call('rules', { label: 'slow', conditions, route: { type: 'llm' } })).status).toBe(200);
  const started = Date.now();
  const tried = await call('test', { messages: [{ role: 'user', content: `${'a'.repeat(50_000)}!` }] });
  expect([tried.status, Date.now() - started < 1000 * SLACK]).toEqual([200, true]);
});

it('closes connections that send slowly', async () => {
  const head = `PUT /api/v1/company HTTP/1.1\r\nHost: x\r\nX-Service-Api-Key: ${fixtures.key}\r\nContent-Type: application/json\r\n`;
  const { port } = platform;
  const headers = new ConnectionFlood(port, 500, {
    first: 'GET /healthz HTTP/1.1\r\nHost: x\r\n',
    drip: 'X-A: b\r\n',
    timeoutMs: 40_000,
  });
  const bodies = new ConnectionFlood(port, 50, {
    first: `${head}Content-Length: 1000\r\n\r\n`,
    drip: ' ',
    timeoutMs: 40_000,
  });
  const [slowHeaders, slowBodies] = await Promise.all([headers.outcomes, bodies.outcomes]);
  expect([...slowHeaders, ...slowBodies].flatMap((held) => refusals(held, [400]))).toEqual([]);
  expect([...slowHeaders, ...slowBodies].filter(({ status }) => status !== 400)).toEqual([]);
  expect(Math.max(...slowHeaders.map(({ ms }) => ms))).toBeLessThan(15_000 * timeScale());
  expect(Math.max(...slowBodies.map(({ ms }) => ms))).toBeLessThan(35_000 * timeScale());
}, 60_000);

it('accepts 1,000 connections and no more, and new ones once those are closed', async () => {
  const flood = new ConnectionFlood(platform.port, 1100, { first: '', timeoutMs: 20_000 });
  await eventually('all connections are accepted or closed', async () => {
    const before = flood.connected;
    await pause(300);
    return before > 0 && flood.connected === before && flood.closed > 0;
  });
  // The well-behaved client and the operator keep their connections; the flood gets the rest.
  expect(flood.connected).toBeLessThanOrEqual(1000);
  expect(flood.connected).toBeGreaterThan(900);
  flood.close();
  await eventually('connections are accepted again', async () => {
    const asked = fetch(`http://127.0.0.1:${platform.port}/healthz`, { headers: { Connection: 'close' } });
    return asked.then((reply) => reply.ok).catch(() => false);
  });
});

it('serves 200 slow calls of a key, streams among them, and those of other keys', async () => {
  const { agent_id, task_id } = await fixtures.newWaitingTask();
  const path = `/api/v1/agents/${String(agent_id)}/tasks/${String(task_id)}`;
  const get = (target: string, key = fixtures.key) =>
    `GET ${target} HTTP/1.1\r\nHost: x\r\nX-Service-Api-Key: ${key}\r\n\r\n`;
  const floods: ConnectionFlood[] = [];
  const come = (size: number): void => {
    for (const target of [`${path}?wait_seconds=30`, `${path}/stream`])
      floods.push(new ConnectionFlood(platform.port, size, { first: get(target), timeoutMs: 120_000 }));
  };
  const answered = (matches: (status: number) => boolean): number =>
    floods.reduce((sum, flood) => sum + flood.answeredWith(matches), 0);
  const ask = async (key = fixtures.key) =>
    fetch(`http://127.0.0.1:${platform.port}${path}`, { headers: { 'X-Service-Api-Key': key } });
  // The calls start gradually: a busy machine refuses some of a sudden burst because the database is slow.
  let size = 0;
  const refused = await eventually(
    'the key has used up its share',
    async () => {
      come(10);
      size += 20;
      const reply = await ask();
      return reply.status === 429 ? reply : undefined;
    },
    60_000,
  );
  expect(size - answered((status) => status >= 400)).toBeGreaterThanOrEqual(200);
  expect(refused.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(errorProblems({ status: 429, text: await refused.text(), contentType: '', head: '' }, [429])).toEqual([]);
  expect((await ask(otherKey)).status).toBe(404);
  come(20);
  await eventually('no more than its share is in use', () => answered((status) => status === 429) >= 20);
  for (const flood of floods) flood.close();
  await eventually('the key may call again', async () => (await ask()).status === 200);
}, 150_000);
