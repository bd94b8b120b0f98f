import type { WorkflowRunStatus } from '@signalbox/contracts';
import { statesOf, type TransitionTable } from '@signalbox/runs/rules';

export type RunTransition = 'start' | 'complete' | 'fail' | 'time_out' | 'cancel';

const TRANSITIONS: TransitionTable<WorkflowRunStatus, RunTransition> = {
  QUEUED: { start: 'RUNNING', fail: 'FAILED', cancel: 'CANCELLED' },
  RUNNING: { complete: 'COMPLETED', fail: 'FAILED', time_out: 'TIMED_OUT', cancel: 'CANCELLED' },
  COMPLETED: {},
  FAILED: {},
  TIMED_OUT: {},
  CANCELLED: {},
};

export const runStates = statesOf<WorkflowRunStatus, RunTransition>('run', TRANSITIONS);
