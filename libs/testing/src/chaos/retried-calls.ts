import { tasks } from '@signalbox/contracts';
import type { ScenarioContext } from './scenario-run.js';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Invokes with one idempotency key until the platform has accepted; returns the task id. */
export async function invokeUntilAccepted(
  { rawClient, history, key }: ScenarioContext,
  agentId: unknown,
  at: number,
  more: Record<string, unknown> = { wait: false },
): Promise<string> {
  for (;;) {
    const reply = await history.record('invoke', () =>
      rawClient.send(
        tasks.endpoints.invokeAgent,
        { agent_id: agentId, message: `task ${at}`, ...more },
        { key, headers: [['Idempotency-Key', `task-${at}`]] },
      ),
    );
    if (reply.status === 200) return (JSON.parse(reply.text) as { data: { task_id: string } }).data.task_id;
    // A replay of a failed task's reply never changes.
    const failed = /Idempotent-Replayed/i.test(reply.head) && /X-Service-Task-Id\n(\S+)/i.exec(reply.head)?.[1];
    if (failed) return failed;
    const late = reply.text.includes('did not arrive in time');
    if (reply.status >= 400 && reply.status < 500 && ![409, 429].includes(reply.status) && !late)
      throw new Error(`task ${at} was refused: ${reply.text}`);
    await sleep(200);
  }
}

/** Cancels until the platform has replied; returns whether it was in time. */
export async function cancelUntilReplied(
  { rawClient, history, key }: ScenarioContext,
  agentId: unknown,
  taskId: string,
): Promise<boolean> {
  for (;;) {
    const reply = await history.record('cancelUntilReplied', () =>
      rawClient.send(tasks.endpoints.cancelTask, { agent_id: agentId, task_id: taskId }, { key }),
    );
    if (reply.status === 200) return true;
    if (reply.status === 409) return false;
    if (reply.status === 404) throw new Error(`task ${taskId} was accepted and cannot be cancelled: it is unknown`);
    await sleep(200);
  }
}
