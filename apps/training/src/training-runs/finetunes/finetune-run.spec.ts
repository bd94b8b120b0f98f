import type { FinetuneJobReport, FinetuneRunStatus } from '@signalbox/contracts';
import { finetuneStates, type FinetuneTrigger, nextAct, pollDelay, progressOf } from './finetune-run.js';

const TABLE: Record<FinetuneRunStatus, Partial<Record<FinetuneTrigger, FinetuneRunStatus>>> = {
  CREATED: { validate: 'VALIDATING', fail: 'FAILED', cancel: 'CANCELLED' },
  VALIDATING: { queue: 'QUEUED', fail: 'FAILED', cancel: 'CANCELLED' },
  QUEUED: { start: 'RUNNING', fail: 'FAILED', cancel: 'CANCELLED' },
  RUNNING: { complete: 'COMPLETED', fail: 'FAILED', cancel: 'CANCELLED' },
  COMPLETED: {},
  FAILED: {},
  CANCELLED: {},
};
const TRIGGERS: FinetuneTrigger[] = ['validate', 'queue', 'start', 'complete', 'fail', 'cancel'];
const cases = (Object.keys(TABLE) as FinetuneRunStatus[]).flatMap((status) =>
  TRIGGERS.map((trigger) => ({ status, trigger, after: TABLE[status][trigger] })),
);

it.each(cases)('$status by $trigger is $after', ({ status, trigger, after }) => {
  const move = () => finetuneStates.move({ id: 'x', status, no: 7 } as never, trigger);
  if (after) expect(move()).toBe(after);
  else expect(move).toThrow(`finetune run 7 is ${status}: it cannot ${trigger}`);
});

it.each([
  ['CREATED', null, null, 1, 'validate'],
  ['VALIDATING', null, null, 1, 'upload_train'],
  ['VALIDATING', 'file-1', null, 1, 'upload_validation'],
  ['VALIDATING', 'file-1', null, 0, 'submit'],
  ['VALIDATING', 'file-1', 'file-2', 1, 'submit'],
  ['QUEUED', 'file-1', null, 0, 'poll'],
  ['RUNNING', 'file-1', null, 0, 'poll'],
] as const)(
  'a run that is %s with files %p and %p and %d rows to validate does %s',
  (status, train, other, rows, act) => {
    const files = { training_file_id: train, validation_file_id: other, validation_request_count: rows };
    expect(nextAct({ status, ...files })).toBe(act);
  },
);

it('reads a young job often and an old one every fifteen seconds', () => {
  expect([0, 5000, 20_000, 60_000, 86_400_000].map(pollDelay)).toEqual([250, 250, 1000, 3000, 15_000]);
});

describe('the progress', () => {
  const report = (status: 'running' | 'succeeded', step?: number): FinetuneJobReport => ({
    job: { id: 'j', status, fine_tuned_model: null, error_message: null },
    events:
      step === undefined
        ? []
        : [
            {
              id: 'e',
              timestamp: 1,
              level: 'info',
              message: '',
              metrics: { step, total_steps: 4, train_loss: 0.5, validation_loss: null },
            },
          ],
    checkpoints: [],
  });

  it('follows the steps, never falls, and is whole only at the end', () => {
    expect(progressOf(report('running', 1), 0)).toEqual({ progress: 25, losses: { train_loss: 0.5 } });
    expect(progressOf(report('running', 1), 60).progress).toBe(60);
    expect(progressOf(report('running', 4), 0).progress).toBe(99);
    expect(progressOf(report('running'), 10)).toEqual({ progress: 10, losses: undefined });
    expect(progressOf(report('succeeded'), 10).progress).toBe(100);
  });
});
