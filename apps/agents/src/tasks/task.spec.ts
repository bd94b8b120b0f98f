import { ApiError, TASK_STATES, type TaskStatus } from '@signalbox/contracts';
import { TASK_TRIGGERS, taskStates, type TaskTrigger } from './task.js';

/** docs/api/agents.md, «Task»: every state × trigger; null = refused. */
const TABLE: Record<TaskStatus, Record<TaskTrigger, TaskStatus | null>> = {
  QUEUED: { start: 'RUNNING', wait: null, resume: null, complete: null, fail: null, cancel: 'CANCELLED' },
  RUNNING: {
    start: null,
    wait: 'WAITING_WEBHOOK',
    resume: null,
    complete: 'COMPLETED',
    fail: 'FAILED',
    cancel: 'CANCELLED',
  },
  WAITING_WEBHOOK: {
    start: null,
    wait: null,
    resume: 'RUNNING',
    complete: null,
    fail: 'FAILED',
    cancel: 'CANCELLED',
  },
  COMPLETED: { start: null, wait: null, resume: null, complete: null, fail: null, cancel: null },
  FAILED: { start: null, wait: null, resume: null, complete: null, fail: null, cancel: null },
  CANCELLED: { start: null, wait: null, resume: null, complete: null, fail: null, cancel: null },
};

const cases = TASK_STATES.flatMap((status) =>
  TASK_TRIGGERS.map((trigger) => [status, trigger, TABLE[status][trigger]] as const),
);

describe('a task', () => {
  it.each(cases)('%s, on %s, becomes %s', (status, trigger, next) => {
    const task = { id: 't', status };
    if (next) expect(taskStates.move(task, trigger)).toBe(next);
    else expect(() => taskStates.move(task, trigger)).toThrow(ApiError);
  });

  it('reports its state in a refusal', () => {
    expect(() => taskStates.move({ id: 't', status: 'COMPLETED' }, 'cancel')).toThrow(
      'task t is COMPLETED: it cannot cancel',
    );
  });

  it('has three terminal states', () => {
    expect(TASK_STATES.filter((status) => taskStates.isTerminal(status))).toEqual(['COMPLETED', 'FAILED', 'CANCELLED']);
  });
});
