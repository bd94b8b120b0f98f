import type { Task } from '@signalbox/sdk';
import type { DemoContext } from '../context.js';
import { RELEASE } from './order-desk.js';
import { answerOf, timelineLines } from './timeline-report.js';

/** Invokes the agent, follows the stream of the task, and prints its timeline. */
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
