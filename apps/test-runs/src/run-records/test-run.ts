import { conflict, type TestRunStatus } from '@signalbox/contracts';
import type { States } from '@signalbox/runs/rules';

export type TestRunTrigger = 'prepare' | 'execute' | 'complete' | 'cancel' | 'reset';

const TRANSITIONS: Readonly<Record<TestRunStatus, Readonly<Partial<Record<TestRunTrigger, TestRunStatus>>>>> = {
  CREATED: { prepare: 'RUNNING' },
  RUNNING: { execute: 'RUNNING', complete: 'COMPLETED', cancel: 'COMPLETED' },
  COMPLETED: { reset: 'RUNNING' },
};

/** A completed run has ended, although a reset may start it again. */
export const testRunStates: States<TestRunStatus, TestRunTrigger> = {
  isTerminal: (status) => status === 'COMPLETED',
  move({ id, status }, trigger) {
    const next = TRANSITIONS[status][trigger];
    if (next === undefined) throw conflict(`test run ${id} is ${status}: ${REFUSED[trigger]}`);
    return next;
  },
};

const REFUSED: Readonly<Record<TestRunTrigger, string>> = {
  prepare: 'only a created run can be prepared',
  execute: 'only a prepared run can be executed',
  complete: 'only a running run completes',
  cancel: 'only a running run can be cancelled',
  reset: 'only a completed run can be reset',
};

export interface TestRunState {
  no: number;
  status: TestRunStatus;
  /** Whether it was executed since it was prepared. */
  executed: boolean;
}

/** A refusal names the public id. */
export const moved = ({ no, status }: TestRunState, trigger: TestRunTrigger): TestRunStatus =>
  testRunStates.move({ id: String(no), status }, trigger);

/** False for a repeated execute; throws for a run that cannot run. */
export function startsNow(run: TestRunState): boolean {
  moved(run, 'execute');
  return !run.executed;
}

/** `open` items are pending or running. */
export const isComplete = (executed: boolean, open: number): boolean => executed && open === 0;
