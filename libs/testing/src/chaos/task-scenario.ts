import { actions, agents, applications, models, providers, tasks } from '@signalbox/contracts';
import { Door } from '../conformance/door.js';
import { World } from '../conformance/world.js';
import { eventually, Platform } from '../platform/platform.js';
import { startHttpTarget } from '../world/http-target.js';
import { startModelProvider } from '../world/model-provider.js';
import { seededRandom } from '../world/seeded-random.js';
import { repeatMessages } from './duplicates.js';
import { History } from './history.js';
import { type Blow, Killer, type Victim } from './killer.js';
import { taskFaults, unfinished } from './task-checks.js';

/** How rough a run is. */
export interface TaskChaos {
  seed: number;
  tasks: number;
  kills: number;
  /** Who may be killed; everybody by default. */
  victims?: readonly Victim[];
  /** Also freeze one of two agents processes for longer than its lease. */
  freezeMs?: number;
  say?: (line: string) => void;
}

/** What a run came to. */
export interface TaskChaosReport {
  seed: number;
  faults: string[];
  blows: Blow[];
  /** Milliseconds from the last blow, or the last acceptance when it was later, until the last task had ended. */
  settledMs: number;
  statuses: Record<number, number>;
  outcomes: Record<string, number>;
  longestCallMs: number;
  modelCalls: number;
  targetCalls: number;
}

const VICTIMS = ['gateway', 'accounts', 'traffic', 'agents', 'agents 2', 'nats', 'postgres'];
/** Recovery promised after the last blow. */
export const SETTLE_MS = 60_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A model that calls the first tool it is offered once, then answers. */
function toolThenAnswer({ messages, tools }: { messages: { role: string }[]; tools?: unknown }) {
  const offered = (tools as { function: { name: string } }[] | undefined)?.[0]?.function.name;
  if (offered && !messages.some(({ role }) => role === 'tool'))
    return { toolCalls: [{ name: offered, arguments: {} }] };
  return 'done';
}

/** Invokes with one idempotency key until the platform has accepted; answers the task. */
async function accept(door: Door, history: History, world: World, agentId: unknown, at: number): Promise<string> {
  for (;;) {
    const reply = await history.record('invoke', () =>
      door.send(
        tasks.endpoints.invokeAgent,
        { agent_id: agentId, message: `task ${at}`, wait: false },
        { key: world.key, headers: [['Idempotency-Key', `task-${at}`]] },
      ),
    );
    if (reply.status === 200) return (JSON.parse(reply.text) as { data: { task_id: string } }).data.task_id;
    if (reply.status >= 400 && reply.status < 500 && reply.status !== 409 && reply.status !== 429)
      throw new Error(`task ${at} was refused: ${reply.text}`);
    await sleep(200);
  }
}

async function agentWithTool(world: World, modelUrl: string, targetUrl: string): Promise<unknown> {
  const provider = await world.call(providers.endpoints.createProvider, {
    provider_name: 'played',
    kind: 'openai_compatible',
    base_url: modelUrl,
    api_key: 'played',
  });
  const model = await world.call(models.endpoints.createModel, { model_name: 'played', provider_id: provider.id });
  const application = await world.call(applications.endpoints.createApplication, { application_name: 'Chaos' });
  const agent = await world.call(agents.endpoints.createAgent, {
    application_id: application.id,
    agent_name: 'Survivor',
    model: model.model_name,
  });
  await world.call(actions.endpoints.createAction, {
    agent_id: agent.id,
    action_name: 'look up',
    action_type: 'api',
    description: 'looks something up',
    action_config: { endpoint: `${targetUrl}/look-up` },
  });
  return agent.id;
}

/** Runs agent tasks while processes are killed, the bus forgets and messages repeat; answers what broke. */
export async function runTaskChaos(chaos: TaskChaos): Promise<TaskChaosReport> {
  const say = chaos.say ?? (() => undefined);
  const victims = chaos.victims ?? VICTIMS;
  const random = seededRandom(chaos.seed);
  const [model, target] = await Promise.all([
    startModelProvider({ script: toolThenAnswer, latencyMs: [20, 50], seed: chaos.seed }),
    startHttpTarget(),
  ]);
  const platform = await Platform.start({
    services: ['gateway', 'accounts', 'traffic', 'agents'],
    // A call that died holds its idempotency key until its deadline; clients of this run wait shorter.
    env: { EGRESS_ALLOW: '127.0.0.1/32', INVOKE_TIMEOUT_SECONDS: '5' },
    durable: true,
  });
  try {
    await platform.startService('agents', 'agents 2');
    const { companyId, key } = await platform.company();
    const door = new Door(platform.baseUrl);
    const world = new World(door, companyId, key);
    const agentId = await agentWithTool(world, model.url, target.url);
    const history = new History();
    const killer = new Killer(platform, random);
    const accepted = new Map<string, string>();
    const inviting = inviteAll(chaos.tasks, (at) =>
      accept(door, history, world, agentId, at).then((id) => void accepted.set(`task-${at}`, id)),
    );
    const half = Math.ceil(chaos.kills / 2);
    await killer.spree(victims, half, [100, 600]);
    say(`${half} kills, ${accepted.size} tasks accepted`);
    await killer.forgetBus();
    if (chaos.freezeMs) await killer.freeze('agents', chaos.freezeMs);
    await killer.spree(victims, chaos.kills - half, [100, 600]);
    await inviting;
    const allAccepted = Date.now();
    const lastBlow = Math.max(...killer.blows.map(({ at, downMs }) => at + downMs));
    say(`${killer.blows.length} blows, all ${accepted.size} tasks accepted`);
    await eventually(
      'every task has ended',
      async () => (await unfinished(platform.sql, companyId)) === 0,
      SETTLE_MS,
    ).catch(() => undefined);
    const settledMs = Date.now() - Math.max(lastBlow, allAccepted);
    await repeatMessages(platform, 2, random).catch(() => 0);
    await sleep(1000);
    const { rows } = await platform.sql.query<{ status: string; n: number }>(
      `SELECT concat_ws(': ', status, error_code, left(error_message, 200)) AS status, count(*)::int AS n
       FROM agents.tasks WHERE company_id = $1 GROUP BY 1`,
      [companyId],
    );
    return {
      seed: chaos.seed,
      faults: await taskFaults(platform.sql, companyId, accepted),
      blows: killer.blows,
      settledMs,
      statuses: history.statuses(),
      outcomes: Object.fromEntries(rows.map(({ status, n }) => [status, n])),
      longestCallMs: history.longest(),
      modelCalls: model.calls.length,
      targetCalls: target.calls.length,
    };
  } finally {
    await platform.stop();
    await Promise.all([model.close(), target.close()]);
  }
}

/** Starts calls a few at a time, so that they spread over the whole spree. */
async function inviteAll(count: number, invite: (at: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      await invite(next++);
      await sleep(50);
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
}
