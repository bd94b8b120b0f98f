import type { FailureClass, Verdict } from '@signalbox/contracts';
import type { SentinelResult } from '../../judging/index.js';
import { countedWith, type EvaluationCounts, evaluationRunStates, nextAct, requireEnded } from './evaluation-run.js';

const run = { upto: 10, cursor: 0, reset_cursor: null, reset_upto: null, judgements: 0, errors_by_class: {} };
const done = { ...run, cursor: 10, judgements: 3 };

describe('an evaluation run', () => {
  it.each([
    ['counts its requests first', { ...run, upto: null }, 'count'],
    ['judges until the last request', { ...run, cursor: 9 }, 'judge'],
    ['completes after it', { ...done, errors_by_class: { judge: 1, timeout: 1 } }, 'complete'],
    ['completes when no request was selected', { ...run, upto: 0 }, 'complete'],
    ['fails when nothing could be judged', { ...done, errors_by_class: { judge: 2, timeout: 1 } }, 'fail'],
    ['repeats failed judgements', { ...done, reset_cursor: 4, reset_upto: 9 }, 'repeat'],
    ['completes after the last of them', { ...done, reset_cursor: 9, reset_upto: 9 }, 'complete'],
  ])('%s', (_, state, act) => expect(nextAct(state)).toBe(act));

  it.each([
    ['QUEUED', { start: 'RUNNING', cancel: 'CANCELLED', reset: null }],
    ['RUNNING', { complete: 'COMPLETED', fail: 'FAILED', cancel: 'CANCELLED', reset: null }],
    ['COMPLETED', { cancel: null, reset: 'RUNNING' }],
    ['FAILED', { cancel: null, reset: null }],
    ['CANCELLED', { cancel: null, reset: null }],
  ] as const)('that is %s moves to %j', (status, moves) => {
    for (const [trigger, next] of Object.entries(moves)) {
      const move = () => evaluationRunStates.move({ id: 'f3', status }, trigger as 'reset');
      if (next === null) expect(move).toThrow(/^evaluation run f3 is /);
      else expect(move()).toBe(next);
    }
  });

  it('refuses under the number and the state that clients know', () => {
    const ended = { id: 'f3b6', no: 7, status: 'COMPLETED' as const };
    expect(() => evaluationRunStates.move(ended, 'cancel')).toThrow('evaluation run 7 is DONE: it cannot cancel');
    expect(() => requireEnded({ no: 7, status: 'QUEUED' })).toThrow('evaluation run 7 is PENDING: cancel it first');
    expect(() => requireEnded(ended)).not.toThrow();
  });
});

describe('the counts of an evaluation run', () => {
  const result = (status: Verdict, failure_class: FailureClass | null = null, cost: number | null = null) =>
    ({ status, failure_class, usage: { cost } }) as SentinelResult;
  const none: EvaluationCounts = {
    evaluated_requests: 0,
    pass_count: 0,
    fault_count: 0,
    na_count: 0,
    error_count: 0,
    judgements: 0,
    errors_by_class: {},
    cost: null,
  };

  it('are of requests, of which any fault makes one faulty; failures are counted by judgement', () => {
    const counts = countedWith(none, [
      [result('PASS', null, 0.5), result('FAULT', 'quality', 0.25)],
      [result('PASS'), result('ERROR', 'judge')],
      [result('ERROR', 'timeout'), result('FAULT', 'quality'), result('ERROR', 'judge')],
      [result('NA')],
      [result('PASS')],
    ]);
    expect(counts).toEqual({
      evaluated_requests: 5,
      pass_count: 1,
      fault_count: 2,
      na_count: 1,
      error_count: 1,
      judgements: 9,
      errors_by_class: { judge: 2, timeout: 1 },
      cost: 0.75,
    });
    expect(countedWith(counts, [[result('ERROR', 'judge')]])).toMatchObject({
      errors_by_class: { judge: 3, timeout: 1 },
    });
    expect(none.errors_by_class).toEqual({});
  });
});
