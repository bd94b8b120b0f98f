import { agentEvents, type Emission, emission } from '@signalbox/contracts';
import type { TaskTrigger } from './task.js';

/** Tokens and cost of a task. */
export const USAGE = `json_build_object('prompt_tokens', t.prompt_tokens, 'completion_tokens', t.completion_tokens,
  'total_tokens', t.total_tokens, 'cost', t.cost)`;

/** A task in its lifecycle events, without messages and output. */
export type TaskRecord = InstanceType<(typeof agentEvents)['declared']['agent_task.queued']['data']>;

/** The same over the alias `t`. */
export const TASK_RECORD = `t.id, t.agent_id, t.parent_task_id, t.session_id, t.status, t.version, t.release, t.iterations,
  t.failure_class, t.error_code, t.error_message, t.started_at, t.completed_at, t.trigger, t.metadata, t.date_created,
  t.completed_at - t.started_at AS duration_ms, t.cost, ${USAGE} AS usage`;

type TaskEventName = Extract<keyof (typeof agentEvents)['declared'], `agent_task.${string}`>;

const EVENTS: Partial<Record<TaskTrigger, TaskEventName>> = {
  start: 'agent_task.started',
  wait: 'agent_task.waiting',
  complete: 'agent_task.completed',
  fail: 'agent_task.failed',
  cancel: 'agent_task.cancelled',
};

/** The lifecycle event of a task after a change of its state; `null` is its acceptance. */
export function taskLifecycle(trigger: TaskTrigger | null, task: TaskRecord): Emission[] {
  const event = trigger === null ? 'agent_task.queued' : EVENTS[trigger];
  return event ? [emission(agentEvents, event, task.id, task)] : [];
}
