import { setTimeout as delay } from 'node:timers/promises';
import type { Signalbox, Task } from '@signalbox/sdk';
import type { DemoContext } from '../context.js';
import { RELEASE } from './order-desk.js';
import { answerOf, timelineLines } from './timeline-report.js';

export async function invoke({ api, step, progress }: DemoContext, agentId: number, message: string): Promise<Task> {
  const { task_id: id } = await step(
    `Invoke the release "${message}"`,
    () => api.agents.invoke({ agent_id: agentId, message, release: RELEASE, wait: false }),
    ({ task_id }) => `task ${task_id}`,
  );
  const place = { agent_id: agentId, task_id: id };
  const seen: string[] = [];
  for await (const { type } of api.agents.streamTask(place)) {
    seen.push(type);
    progress.step(`   ${type}`);
  }
  const task = await api.agents.getTask({ ...place, wait_seconds: 10 });
  const events = await api.agents.listTaskTimeline({ ...place, limit: 100 }).all();
  progress.log(`   It is ${task.status} with the reply: ${answerOf(task)}`);
  progress.log(`   ${seen.length} events arrived while it ran; this is what happened:`);
  for (const line of timelineLines(events)) progress.log(line);
  return task;
}

const PAUSE_MS = 100;

/** A task that already has this status, or a new one, once it has stopped. */
export async function invokeOnce(
  api: Signalbox,
  agent_id: number,
  status: Task['status'],
  message: string,
): Promise<Task> {
  const [known] = (await api.agents.listAllTasks({ agent_id, status: [status], limit: 1 })).data;
  const task_id = known?.id ?? (await api.agents.invoke({ agent_id, message, wait: false })).task_id;
  for (;;) {
    const task = await api.agents.getTask({ agent_id, task_id });
    if (task.status !== 'QUEUED' && task.status !== 'RUNNING') return task;
    await delay(PAUSE_MS);
  }
}
