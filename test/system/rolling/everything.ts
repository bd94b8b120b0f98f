import { models, providers } from '@signalbox/contracts';
import {
  eventually,
  type HttpTarget,
  type ModelProvider,
  type Replaced,
  rollingRestart,
  startHttpTarget,
  startModelProvider,
} from '@signalbox/testing';
import { Replicas, type Service, SERVICES } from './replicas.js';
import { type Addressed, answerSlowly, modelCallsByMessage, Workload } from './workload.js';

let replicas: Replicas;
let provider: ModelProvider;
let target: HttpTarget;

/** Model calls after the last replacement: they only show that calls succeed. */
const QUICK_MS = 200;

/** Two processes of each service with a model that answers slowly, before the tests and until after them. */
function withReplicas(callMs: number, env: Record<string, string> = {}, cluster = 1): void {
  beforeAll(async () => {
    [provider, target] = await Promise.all([startModelProvider(), startHttpTarget()]);
    answerSlowly(provider, callMs);
    const settings = {
      EGRESS_ALLOW: `127.0.0.1:${provider.port},127.0.0.1:${target.port}`,
      // Long enough for two model calls on a busy machine.
      INVOKE_TIMEOUT_SECONDS: String(Math.ceil((callMs * 3) / 1000) + 30),
      ...env,
    };
    replicas = await Replicas.start(settings, { cluster });
  }, 180_000);
  afterAll(async () => {
    await replicas?.stop();
    await Promise.all([provider.close(), target.close()]);
  });
}

/** Ends each of three servers of the bus under calls: two without a warning, one that lets its clients move. */
export function outlivesServersOfTheBus(callMs: number, paceMs: number, limitMs: number): void {
  // A reply that ended with its connection is missed after ten seconds, on a slow machine after several times as long.
  withReplicas(callMs, { NATS_REPLICAS: '3', INVOKE_TIMEOUT_SECONDS: '150' }, 3);

  it(
    'fails no call and loses nothing',
    async () => {
      const { platform } = replicas;
      const { cluster } = platform.servers;
      if (!cluster) throw new Error('the bus is no cluster');
      const { companyId, key } = await platform.company();
      const address = { baseUrl: platform.baseUrl, key, paceMs, hasKeys: true };
      const workload = new Workload({ ...address, ...(await agents(companyId, key)) });
      workload.start();
      await underWay(1);
      for (const [at, end] of [
        [0, 'kill'],
        [1, 'retire'],
        [2, 'kill'],
      ] as const) {
        if (end === 'retire') cluster.retire(at);
        else await cluster.kill(at);
        const before = workload.ended;
        await eventually('every kind of call has ended without it', () => hasEnded(workload, before), limitMs);
        if (end === 'retire') await cluster.kill(at);
        await cluster.restart(at);
        const restarted = workload.ended;
        await eventually('every kind of call has ended with it', () => hasEnded(workload, restarted), limitMs);
      }
      expect(await failuresOf(workload)).toEqual([]);
      await expectRecorded(companyId, workload);
    },
    limitMs,
  );
}

/** Replaces every process of every service under calls of so long, with quick calls at a pace. */
export function restartsEverything(callMs: number, paceMs: number, limitMs: number): void {
  withReplicas(callMs);

  it(
    'fails no call, pays no model twice and loses nothing',
    async () => {
      const { platform, balancer } = replicas;
      const { companyId, key } = await platform.company();
      const workload = new Workload({ baseUrl: platform.baseUrl, key, paceMs, ...(await agents(companyId, key)) });
      workload.start();
      await underWay(1);
      // As a new release does: all deployments are replaced at the same time, each process by process.
      const replaced = await Promise.all(SERVICES.map(replace));
      answerSlowly(provider, QUICK_MS);
      const before = workload.ended;
      // Calls that begin after the last replacement succeed as well.
      await eventually('every kind of call has ended again', () => hasEnded(workload, before), limitMs);
      expect(await failuresOf(workload)).toEqual([]);
      expect(balancer.faults).toEqual([]);
      expect(replaced.flat().map(({ exitCode }) => exitCode)).toEqual(SERVICES.flatMap(() => [0, 0]));
      expectPaidOnce(workload);
      await expectRecorded(companyId, workload);
    },
    limitMs,
  );
}

/** Failed calls; when there are any, what the services have logged about failed calls follows. */
async function failuresOf(workload: Workload): Promise<string[]> {
  const failures = Object.entries(await workload.stop()).flatMap(([kind, report]) =>
    report.failures.map((failure) => `${kind}: ${String(failure)} ${String((failure as Error).cause ?? '')}`),
  );
  return failures.length === 0 ? [] : [...failures, ...(await replicas.loggedFailures())];
}

const hasEnded = (workload: Workload, before: Record<string, number>): boolean =>
  Object.entries(workload.ended).every(([kind, ended]) => ended > (before[kind] ?? 0));

/** Until the model is being called for this many tasks and completions each. */
const underWay = (each: number): Promise<unknown> =>
  eventually(
    'models are called',
    () => {
      const asked = [...modelCallsByMessage(provider).keys()];
      return ['task', 'chat'].every((kind) => asked.filter((text) => text.startsWith(kind)).length >= each);
    },
    90_000,
  );

function replace(service: Service): Promise<Replaced[]> {
  return rollingRestart(replicas.platform, service, [`${service}-1`, `${service}-2`], {
    env: replicas.settingsOf(service),
    order: service === 'completions' ? 'in place' : 'surge',
  });
}

/** Each task needs two calls of the model and each completion one; the provider received no other calls. */
function expectPaidOnce({ tasks, chats }: Workload): void {
  const expected = [...tasks.map((text) => [text, 2] as const), ...chats.map((text) => [text, 1] as const)];
  const sorted = (counts: Iterable<readonly [string, number]>): string[] =>
    [...counts].map(([text, count]) => `${text}: ${count}`).sort();
  expect(tasks.length).toBeGreaterThan(6);
  expect(sorted(modelCallsByMessage(provider))).toEqual(sorted(expected));
  expect(target.calls).toHaveLength(tasks.length);
}

async function expectRecorded(companyId: number, { tasks, requestIds, written }: Workload): Promise<void> {
  const { sql } = replicas.platform;
  const ended = await sql.query('SELECT status, count(*)::int FROM agents.tasks GROUP BY status');
  expect(ended.rows).toEqual([{ status: 'COMPLETED', count: tasks.length }]);
  await eventually('every completion is in the request log', async () => {
    const found = await sql.query('SELECT request_id FROM traffic.requests WHERE request_id = ANY($1)', [requestIds]);
    return found.rowCount === requestIds.length;
  });
  const applications = await sql.query(
    `SELECT id FROM traffic.applications WHERE company_id = $1 AND application_name LIKE 'written %' ORDER BY id`,
    [companyId],
  );
  expect(applications.rows.map(({ id }) => id)).toEqual([...written].sort((a, b) => a - b));
  await eventually('every write is in the audit log once', async () => {
    const audited = await sql.query(
      `SELECT resource_id FROM accounts.audit_log
       WHERE company_id = $1 AND resource_type = 'application' AND resource_id = ANY($2)`,
      [companyId, written.map(String)],
    );
    return audited.rowCount === written.length;
  });
}

/** An agent with one action, another one whose action needs a secret, and the model they use. */
async function agents(companyId: number, key: string): Promise<Pick<Addressed, 'agentId' | 'keeperId'>> {
  const { platform } = replicas;
  const caller = platform.caller(companyId, { deadline: Date.now() + 60_000 });
  const made = { provider_name: 'outside', kind: 'openai_compatible', base_url: provider.url } as const;
  const { id: provider_id } = await platform.bus.call(
    providers.endpoints.createProvider,
    { ...made, api_key: 'sk-anything', default_headers: {}, timeout_ms: 600_000, status: 'ENABLED' },
    caller,
  );
  const able = { supports_tools: true, supports_json_schema: true, trainable: false, status: 'ENABLED' } as const;
  await platform.bus.call(models.endpoints.createModel, { model_name: 'm', provider_id, ...able }, caller);
  const post = async (path: string, body: object): Promise<number> =>
    (await platform.api(key).data<{ id: number }>('POST', path, body)).id;
  const application_id = await post('/applications', { application_name: 'rolling' });
  const agent = async (agent_name: string, config: object): Promise<number> => {
    const id = await post('/agents', { application_id, agent_name, model: 'm', system_prompt: 'You help.' });
    await post(`/agents/${id}/actions`, {
      action_name: 'look up',
      action_type: 'api',
      description: 'looks an item up',
      action_config: {
        endpoint: `${target.url}/items/{id}`,
        parameters: { id: { type: 'string', required: true } },
        ...config,
      },
    });
    return id;
  };
  const auth = { type: 'bearer', token: '{{secrets.TOKEN}}' };
  return { agentId: await agent('Plain', {}), keeperId: await agent('Keeper', { auth }) };
}
