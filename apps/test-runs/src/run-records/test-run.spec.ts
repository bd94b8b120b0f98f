import { TEST_RUN_STATES, type TestRunStatus } from '@signalbox/contracts';
import { isComplete, moved, startsNow, testRunStates, type TestRunTrigger } from './test-run.js';

/** The table of docs/api/tests.md: for each state and trigger the next state, null where the trigger is refused. */
const TABLE: Record<TestRunStatus, Record<TestRunTrigger, TestRunStatus | null>> = {
  CREATED: { prepare: 'RUNNING', execute: null, complete: null, cancel: null, reset: null },
  RUNNING: { prepare: null, execute: 'RUNNING', complete: 'COMPLETED', cancel: 'COMPLETED', reset: null },
  COMPLETED: { prepare: null, execute: null, complete: null, cancel: null, reset: 'RUNNING' },
};
const CELLS = TEST_RUN_STATES.flatMap((status) =>
  (Object.keys(TABLE[status]) as TestRunTrigger[]).map((trigger) => [status, trigger, TABLE[status][trigger]] as const),
);

describe('the states of a test run', () => {
  it.each(CELLS)('%s -%s-> %s', (status, trigger, next) => {
    const run = { no: 7, status, executed: false };
    if (next !== null) expect(moved(run, trigger)).toBe(next);
    else expect(() => moved(run, trigger)).toThrow(expect.objectContaining({ status: 409 }));
  });

  it('are named with the run when a trigger is refused', () => {
    const run = { no: 7, status: 'COMPLETED', executed: true } as const;
    expect(() => moved(run, 'prepare')).toThrow('test run 7 is COMPLETED: only a created run can be prepared');
  });

  it('end with COMPLETED', () => {
    expect(TEST_RUN_STATES.filter((status) => testRunStates.isTerminal(status))).toEqual(['COMPLETED']);
  });
});

describe('an execute', () => {
  it('starts a prepared run once', () => {
    expect(startsNow({ no: 1, status: 'RUNNING', executed: false })).toBe(true);
    expect(startsNow({ no: 1, status: 'RUNNING', executed: true })).toBe(false);
  });

  it.each(['CREATED', 'COMPLETED'] as const)('of a run that is %s is refused', (status) => {
    expect(() => startsNow({ no: 1, status, executed: false })).toThrow(expect.objectContaining({ status: 409 }));
  });
});

it.each([
  [true, 0, true],
  [true, 1, false],
  [false, 0, false],
])('a run that was executed (%p) with %i open items is complete: %p', (executed, open, complete) => {
  expect(isComplete(executed, open)).toBe(complete);
});
