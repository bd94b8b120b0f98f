import type { WorkflowRunStatus } from '@signalbox/contracts';
import { runStates, type RunTransition } from './run.js';

const TRANSITIONS: RunTransition[] = ['start', 'complete', 'fail', 'time_out', 'cancel'];
const AFTER: Record<WorkflowRunStatus, (WorkflowRunStatus | null)[]> = {
  QUEUED: ['RUNNING', null, 'FAILED', null, 'CANCELLED'],
  RUNNING: [null, 'COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED'],
  COMPLETED: [null, null, null, null, null],
  FAILED: [null, null, null, null, null],
  TIMED_OUT: [null, null, null, null, null],
  CANCELLED: [null, null, null, null, null],
};

describe.each(Object.entries(AFTER) as [WorkflowRunStatus, (WorkflowRunStatus | null)[]][])(
  'a run that is %s',
  (status, after) => {
    it.each(TRANSITIONS.map((transition, at) => [transition, after[at] ?? null] as const))('on %s', (on, next) => {
      const move = () => runStates.move({ id: '7', status }, on);
      if (next) expect(move()).toBe(next);
      else expect(move).toThrow(`run 7 is ${status}: it cannot ${on}`);
    });

    it('is terminal when nothing leads out of it', () =>
      expect(runStates.isTerminal(status)).toBe(after.every((next) => next === null)));
  },
);
