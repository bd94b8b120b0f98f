import { type Emission, emission, workflowEvents } from '@signalbox/contracts';
import type { RunEvent } from '@signalbox/runs/rules';
import type { RunTransition } from './run.js';

export const USAGE = `json_build_object('prompt_tokens', t.prompt_tokens, 'completion_tokens', t.completion_tokens,
  'total_tokens', t.total_tokens, 'cost', t.cost)`;

/** In milliseconds. */
export const DURATION = 't.completed_at - t.started_at';

/** The data of lifecycle events, without bodies. */
export type RunRecord = InstanceType<(typeof workflowEvents)['declared']['workflow_run.queued']['data']>;

/** Over the alias `t`. */
export const RUN_RECORD = `t.id, t.workflow_id, t.workflow_version, t.release, t.session_id, t.status, t.trigger, t.mode,
  t.failure_class, t.error_code, t.error_message, t.attempts, t.parent_run_id, t.metadata, t.started_at, t.completed_at,
  t.date_created, ${DURATION} AS duration_ms, t.cost, ${USAGE} AS usage`;

const EVENTS = {
  start: 'workflow_run.started',
  complete: 'workflow_run.completed',
  fail: 'workflow_run.failed',
  time_out: 'workflow_run.timed_out',
  cancel: 'workflow_run.cancelled',
} as const satisfies Record<RunTransition, keyof (typeof workflowEvents)['declared']>;

/** `null` is the acceptance of the run. */
export const runLifecycle = (transition: RunTransition | null, run: RunRecord): Emission[] => [
  emission(workflowEvents, transition === null ? 'workflow_run.queued' : EVENTS[transition], run.id, run),
];

export const startedEvent = ({ workflow_id, workflow_version: version }: Started): RunEvent => ({
  event: { type: 'run.started', data: { workflow_id, ...(version === null ? {} : { version }) } },
  timeline: { type: 'run_start', data: { status: 'RUNNING' } },
});

interface Started {
  workflow_id: number;
  workflow_version: string | null;
}
