import { randomUUID } from 'node:crypto';
import { actions, tasks } from '@signalbox/contracts';
import { eventually, type Platform } from '../platform/platform.js';
import type { HttpTarget } from '../fakes/http-target.js';
import type { CanaryAgent, Kind, Secrets } from './families/canary-agents.js';
import type { SearchingClient } from './searching-client.js';
import { receivedBy } from './canary-target.js';

export interface CanaryContext {
  platform: Platform;
  target: HttpTarget;
  client: SearchingClient;
}

export interface CanaryTask {
  agentId: unknown;
  taskId: string;
}

export interface CanaryCase extends Kind {
  name: string;
  times: number;
  /** Whether the target has to receive the values; it must not when the call is refused. */
  expected: boolean;
  run(context: CanaryContext, agent: CanaryAgent, secrets: Secrets): Promise<CanaryTask | null>;
}

interface Reply {
  data?: { task_id?: string };
}

async function invoke({ client }: CanaryContext, { agentId }: CanaryAgent, body: object): Promise<CanaryTask | null> {
  const reply = await client.send(tasks.endpoints.invokeAgent, { agent_id: agentId, message: 'send it', ...body });
  const taskId = (JSON.parse(reply.text) as Reply).data?.task_id ?? /X-Service-Task-Id\n(\S+)/i.exec(reply.head)?.[1];
  return taskId === undefined ? null : { agentId, taskId };
}

const waiting = (context: CanaryContext, agent: CanaryAgent, secrets: Secrets) => invoke(context, agent, { secrets });
const talking = (context: CanaryContext, agent: CanaryAgent, secrets: Secrets) =>
  invoke(context, agent, { secrets, message: `my secrets: ${JSON.stringify(secrets)}`, metadata: { secrets } });
const later = (context: CanaryContext, agent: CanaryAgent, secrets: Secrets) =>
  invoke(context, agent, { secrets, wait: false });

async function untilReceived({ target }: CanaryContext, { TOKEN }: Secrets): Promise<void> {
  await eventually('the target receives the secrets', () =>
    target.calls.some((call) => receivedBy(call).includes(TOKEN)),
  );
}

async function cancelled(context: CanaryContext, agent: CanaryAgent, secrets: Secrets) {
  const task = await later(context, agent, secrets);
  await untilReceived(context, secrets);
  await context.client.send(tasks.endpoints.cancelTask, { agent_id: agent.agentId, task_id: task?.taskId });
  return task;
}

async function streamed(
  { client, platform }: CanaryContext,
  { agentId }: CanaryAgent,
  secrets: Secrets,
): Promise<CanaryTask> {
  const session_id = `stream-${Math.random()}`;
  const body = { agent_id: agentId, message: 'send it', secrets, session_id, stream: true };
  await client.send(tasks.endpoints.invokeAgent, body);
  const { rows } = await platform.sql.query<{ id: string }>('SELECT id FROM agents.tasks WHERE session_id = $1', [
    session_id,
  ]);
  return { agentId, taskId: rows[0]?.id ?? '' };
}

async function repeated({ client }: CanaryContext, { agentId }: CanaryAgent, secrets: Secrets): Promise<CanaryTask> {
  const body = { agent_id: agentId, message: 'send it', secrets };
  const how = { idempotencyKey: `canary-${randomUUID()}` };
  const reply = await client.send(tasks.endpoints.invokeAgent, body, how);
  await client.send(tasks.endpoints.invokeAgent, body, how);
  await client.send(tasks.endpoints.invokeAgent, { ...body, secrets: { ...secrets, TOKEN: secrets.DIRECT } }, how);
  return { agentId, taskId: (JSON.parse(reply.text) as Reply).data?.task_id ?? '' };
}

async function tried({ client }: CanaryContext, { actionId }: CanaryAgent, secrets: Secrets): Promise<null> {
  await client.send(actions.endpoints.testAction, { action_id: actionId, arguments: { id: '1' }, secrets });
  return null;
}

async function refused(
  { client }: CanaryContext,
  { agentId }: CanaryAgent,
  { TOKEN, ...others }: Secrets,
): Promise<null> {
  const wrong = [
    { secrets: others },
    { secrets: [TOKEN] },
    { secrets: TOKEN },
    { secrets: { TOKEN: { value: TOKEN } } },
    { session_id: TOKEN, secrets: { TOKEN, ...others } },
    { secrets: { TOKEN, ...others }, message: 1 },
  ];
  for (const body of wrong)
    await client.send(tasks.endpoints.invokeAgent, { agent_id: agentId, message: 'x', ...body });
  return null;
}

const hanging = { path: '/hang', auth: 'bearer' } as const;

export const CASES: readonly CanaryCase[] = [
  { name: 'bearer', times: 2, expected: true, path: '/echo', auth: 'bearer', run: waiting },
  { name: 'api key', times: 2, expected: true, path: '/echo', auth: 'api_key', run: waiting },
  { name: 'basic', times: 2, expected: true, path: '/echo', auth: 'basic', run: waiting },
  { name: 'named by the user', times: 2, expected: true, path: '/echo', auth: 'bearer', run: talking },
  { name: '404', times: 2, expected: true, path: '/status/404', auth: 'bearer', run: waiting },
  { name: '500', times: 2, expected: true, path: '/status/500', auth: 'basic', run: waiting },
  { name: 'time-out', times: 2, expected: true, ...hanging, config: { timeout_ms: 300 }, run: waiting },
  { name: 'streamed', times: 2, expected: true, path: '/echo', auth: 'api_key', run: streamed },
  { name: 'later', times: 2, expected: true, path: '/echo', auth: 'bearer', run: later },
  { name: 'sub-agent', times: 2, expected: true, path: '/echo', auth: 'bearer', family: true, run: waiting },
  {
    name: 'callback',
    times: 2,
    expected: true,
    path: '/order',
    auth: 'bearer',
    config: { mode: 'callback', body: { reply_to: '{{callback_url}}' } },
    action: { action_type: 'webhook' },
    run: waiting,
  },
  {
    name: 'background',
    times: 2,
    expected: true,
    path: '/echo',
    auth: 'bearer',
    action: { invocation_mode: 'background' },
    run: waiting,
  },
  { name: 'tried', times: 2, expected: true, path: '/echo', auth: 'basic', run: tried },
  { name: 'repeated', times: 2, expected: true, path: '/echo', auth: 'bearer', run: repeated },
  { name: 'cancelled', times: 2, expected: true, ...hanging, run: cancelled },
  { name: 'refused', times: 2, expected: false, path: '/echo', auth: 'bearer', run: refused },
];

/** Kills the process with the secrets, so no other case can run meanwhile. */
export const KILLED: CanaryCase = { name: 'killed', times: 2, expected: true, ...hanging, run: later };
