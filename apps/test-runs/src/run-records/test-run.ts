import { conflict, type TestRunStatus } from '@signalbox/contracts';
import type { States } from '@signalbox/runs/rules';

/** What changes the state of a run. Scores and reads change none. */
export type TestRunTrigger = 'prepare' | 'execute' | 'complete' | 'cancel' | 'reset';

/** The transitions of a run (docs/api/tests.md, «States»). */
const TRANSITIONS: Readonly<Record<TestRunStatus, Readonly<Partial<Record<TestRunTrigger, TestRunStatus>>>>> = {
  CREATED: { prepare: 'RUNNING' },
  RUNNING: { execute: 'RUNNING', complete: 'COMPLETED', cancel: 'COMPLETED' },
  COMPLETED: { reset: 'RUNNING' },
};

/** The states of a test run. A completed run has ended, although a reset may start it again. */
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

/** The columns of a locked run that decide about its changes. */
export interface TestRunState {
  /** The public id. */
  no: number;
  status: TestRunStatus;
  /** Whether it was executed since it was prepared. */
  executed: boolean;
}

/** The next state, with the public id in the message of a refusal. */
export const moved = ({ no, status }: TestRunState, trigger: TestRunTrigger): TestRunStatus =>
  testRunStates.move({ id: String(no), status }, trigger);

/** Whether an execute starts the run; a repeated one has no effect, and one of a run that cannot run is refused. */
export function startsNow(run: TestRunState): boolean {
  moved(run, 'execute');
  return !run.executed;
}

/** Whether a run is complete: it was executed, and no item is pending or running. */
export const isComplete = (executed: boolean, open: number): boolean => executed && open === 0;
