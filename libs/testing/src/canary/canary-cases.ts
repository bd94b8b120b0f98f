import { actions, tasks } from '@signalbox/contracts';
import { eventually, type Platform } from '../platform/platform.js';
import type { HttpTarget } from '../fakes/http-target.js';
import type { CanaryAgent, Kind, Secrets } from './canary-agents.js';
import type { Ears } from './canary-ears.js';
import { shownTo } from './canary-target.js';

/** What a case plays with. */
export interface Cage {
  platform: Platform;
  target: HttpTarget;
  ears: Ears;
}

/** A task as it is watched. */
export interface Flight {
  agentId: unknown;
  taskId: string;
}

/** A way in which secrets are used, and how often. */
export interface CanaryCase extends Kind {
  name: string;
  times: number;
  /** Whether the target must be shown the values; it must not when the call is refused. */
  due: boolean;
  fly(cage: Cage, agent: CanaryAgent, secrets: Secrets): Promise<Flight | null>;
}

interface Reply {
  data?: { task_id?: string };
}

async function invoke({ ears }: Cage, { agentId }: CanaryAgent, body: object): Promise<Flight | null> {
  const reply = await ears.send(tasks.endpoints.invokeAgent, { agent_id: agentId, message: 'show it', ...body });
  const taskId = (JSON.parse(reply.text) as Reply).data?.task_id ?? /X-Service-Task-Id\n(\S+)/i.exec(reply.head)?.[1];
  return taskId === undefined ? null : { agentId, taskId };
}

const waiting = (cage: Cage, agent: CanaryAgent, secrets: Secrets) => invoke(cage, agent, { secrets });
/** The user names the secrets too. */
const talking = (cage: Cage, agent: CanaryAgent, secrets: Secrets) =>
  invoke(cage, agent, { secrets, message: `my secrets: ${JSON.stringify(secrets)}`, metadata: { secrets } });
const later = (cage: Cage, agent: CanaryAgent, secrets: Secrets) => invoke(cage, agent, { secrets, wait: false });

async function untilShown({ target }: Cage, { TOKEN }: Secrets): Promise<void> {
  await eventually('the target is shown the secrets', () => target.calls.some((call) => shownTo(call).includes(TOKEN)));
}

async function cancelled(cage: Cage, agent: CanaryAgent, secrets: Secrets) {
  const flight = await later(cage, agent, secrets);
  await untilShown(cage, secrets);
  await cage.ears.send(tasks.endpoints.cancelTask, { agent_id: agent.agentId, task_id: flight?.taskId });
  return flight;
}

async function streamed({ ears, platform }: Cage, { agentId }: CanaryAgent, secrets: Secrets): Promise<Flight> {
  const session_id = `stream-${Math.random()}`;
  const body = { agent_id: agentId, message: 'show it', secrets, session_id, stream: true };
  await ears.send(tasks.endpoints.invokeAgent, body);
  const { rows } = await platform.sql.query<{ id: string }>('SELECT id FROM agents.tasks WHERE session_id = $1', [
    session_id,
  ]);
  return { agentId, taskId: rows[0]?.id ?? '' };
}

/** The same key with other secrets is refused; the first call counts. */
async function repeated({ ears }: Cage, { agentId }: CanaryAgent, secrets: Secrets): Promise<Flight> {
  const body = { agent_id: agentId, message: 'show it', secrets };
  const how = { idempotencyKey: `canary-${String(agentId)}` };
  const reply = await ears.send(tasks.endpoints.invokeAgent, body, how);
  await ears.send(tasks.endpoints.invokeAgent, body, how);
  await ears.send(tasks.endpoints.invokeAgent, { ...body, secrets: { ...secrets, TOKEN: secrets.DIRECT } }, how);
  return { agentId, taskId: (JSON.parse(reply.text) as Reply).data?.task_id ?? '' };
}

async function tried({ ears }: Cage, { actionId }: CanaryAgent, secrets: Secrets): Promise<null> {
  await ears.send(actions.endpoints.testAction, { action_id: actionId, arguments: { id: '1' }, secrets });
  return null;
}

/** Secrets where none belong: one is missing, or a type is wrong. */
async function refused({ ears }: Cage, { agentId }: CanaryAgent, { TOKEN, ...others }: Secrets): Promise<null> {
  const wrong = [
    { secrets: others },
    { secrets: [TOKEN] },
    { secrets: TOKEN },
    { secrets: { TOKEN: { value: TOKEN } } },
    { session_id: TOKEN, secrets: { TOKEN, ...others } },
    { secrets: { TOKEN, ...others }, message: 1 },
  ];
  for (const body of wrong) await ears.send(tasks.endpoints.invokeAgent, { agent_id: agentId, message: 'x', ...body });
  return null;
}

const hanging = { path: '/hang', auth: 'bearer' } as const;

/** Every way in which an agent uses secrets: fifty invocations that carry them, and some that are refused. */
export const CASES: readonly CanaryCase[] = [
  { name: 'bearer', times: 3, due: true, path: '/echo', auth: 'bearer', fly: waiting },
  { name: 'api key', times: 3, due: true, path: '/echo', auth: 'api_key', fly: waiting },
  { name: 'basic', times: 3, due: true, path: '/echo', auth: 'basic', fly: waiting },
  { name: 'named by the user', times: 3, due: true, path: '/echo', auth: 'bearer', fly: talking },
  { name: '404', times: 3, due: true, path: '/status/404', auth: 'bearer', fly: waiting },
  { name: '500', times: 3, due: true, path: '/status/500', auth: 'basic', fly: waiting },
  { name: 'time-out', times: 4, due: true, ...hanging, config: { timeout_ms: 300 }, fly: waiting },
  { name: 'streamed', times: 3, due: true, path: '/echo', auth: 'api_key', fly: streamed },
  { name: 'later', times: 4, due: true, path: '/echo', auth: 'bearer', fly: later },
  { name: 'sub-agent', times: 5, due: true, path: '/echo', auth: 'bearer', family: true, fly: waiting },
  {
    name: 'callback',
    times: 5,
    due: true,
    path: '/order',
    auth: 'bearer',
    config: { mode: 'callback', body: { reply_to: '{{callback_url}}' } },
    action: { action_type: 'webhook' },
    fly: waiting,
  },
  {
    name: 'background',
    times: 3,
    due: true,
    path: '/echo',
    auth: 'bearer',
    action: { invocation_mode: 'background' },
    fly: waiting,
  },
  { name: 'tried', times: 3, due: true, path: '/echo', auth: 'basic', fly: tried },
  { name: 'repeated', times: 2, due: true, path: '/echo', auth: 'bearer', fly: repeated },
  { name: 'cancelled', times: 3, due: true, ...hanging, fly: cancelled },
  { name: 'refused', times: 2, due: false, path: '/echo', auth: 'bearer', fly: refused },
];

/** The case in which the process that holds the secrets is killed; nothing else can run meanwhile. */
export const KILLED: CanaryCase = { name: 'killed', times: 3, due: true, ...hanging, fly: later };
