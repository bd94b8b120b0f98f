import { type Endpoint, tasks } from '@signalbox/contracts';
import type { ScenarioContext } from './scenario-run.js';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export type RetryingClient = Pick<ScenarioContext, 'rawClient' | 'history' | 'key'>;

/** Sent repeatedly under one idempotency key, and accepted once. */
export interface Submission {
  /** Also the idempotency key. */
  name: string;
  input: Record<string, unknown>;
  /** The header with the id of a started run whose reply is an error. */
  idHeader: string;
  idIn(data: Record<string, unknown>): unknown;
}

export async function submitUntilAccepted(
  { rawClient, history, key }: RetryingClient,
  endpoint: Endpoint,
  { name, input, idHeader, idIn }: Submission,
): Promise<string> {
  const idPattern = new RegExp(`${idHeader}\\n(\\S+)`, 'i');
  for (;;) {
    const reply = await history.record(endpoint.name, () =>
      rawClient.send(endpoint, input, { key, headers: [['Idempotency-Key', name]] }),
    );
    if (reply.status === 200) return String(idIn((JSON.parse(reply.text) as { data: Record<string, unknown> }).data));
    // A replay of a failed run's reply never changes.
    const failed = /Idempotent-Replayed/i.test(reply.head) && idPattern.exec(reply.head)?.[1];
    if (failed) return failed;
    const late = reply.text.includes('did not arrive in time');
    if (reply.status >= 400 && reply.status < 500 && ![409, 429].includes(reply.status) && !late)
      throw new Error(`${name} was refused: ${reply.text}`);
    await sleep(200);
  }
}

export const invokeUntilAccepted = (
  context: ScenarioContext,
  agentId: unknown,
  at: number,
  more: Record<string, unknown> = { wait: false },
): Promise<string> =>
  submitUntilAccepted(context, tasks.endpoints.invokeAgent, {
    name: `task-${at}`,
    input: { agent_id: agentId, message: `task ${at}`, ...more },
    idHeader: 'X-Service-Task-Id',
    idIn: ({ task_id }) => task_id,
  });

export async function cancelUntilReplied(
  { rawClient, history, key }: ScenarioContext,
  endpoint: Endpoint,
  input: Record<string, unknown>,
): Promise<boolean> {
  for (;;) {
    const reply = await history.record(endpoint.name, () => rawClient.send(endpoint, input, { key }));
    if (reply.status === 200) return true;
    if (reply.status === 409) return false;
    if (reply.status === 404)
      throw new Error(`${JSON.stringify(input)} was accepted and cannot be cancelled: it is unknown`);
    await sleep(200);
  }
}
