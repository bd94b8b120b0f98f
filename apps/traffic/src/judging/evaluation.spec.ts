import type { Verdict } from '@signalbox/contracts';
import { correctedAnswer, correctionOf, evaluationStateOf, judgesRequest, type SentinelResult } from './evaluation.js';

describe('the evaluation state of a request', () => {
  it.each<[Verdict[], string]>([
    [['PASS', 'ERROR', 'FAULT', 'NA'], 'FAULT'],
    [['PASS', 'ERROR', 'NA'], 'ERROR'],
    [['NA', 'PASS'], 'PASS'],
    [['NA'], 'NA'],
    [[], 'NA'],
  ])('of %j is %s', (verdicts, state) => expect(evaluationStateOf(verdicts)).toBe(state));
});

describe('the correction of an answer', () => {
  const result = (id: number, severity: number, status: Verdict, correction: string | null) =>
    ({ sentinel: { id, severity, sentinel_name: 's' }, status, correction }) as SentinelResult;

  it('is that of the most severe fault, then of the oldest sentinel', () => {
    expect(
      correctionOf([
        result(1, 4, 'PASS', 'no fault'),
        result(2, 2, 'FAULT', 'mild'),
        result(4, 3, 'FAULT', 'later'),
        result(3, 3, 'FAULT', 'chosen'),
        result(5, 4, 'FAULT', null),
      ]),
    ).toBe('chosen');
    expect(correctionOf([result(1, 4, 'FAULT', null)])).toBeNull();
  });

  it('replaces all choices and the output of a workflow', () => {
    const answer = {
      id: 'c',
      output: { a: 1 },
      choices: [{ message: { content: 'x' } }, { message: { content: 'y' } }],
    };
    expect(correctedAnswer(answer, 'good')).toEqual({
      id: 'c',
      choices: [{ index: 0, message: { role: 'assistant', content: 'good' }, finish_reason: 'stop' }],
    });
  });
});

describe('the sample of a sentinel', () => {
  const share = (sample_rate: unknown) => {
    const judged = Array.from({ length: 2000 }, (_, n) =>
      judgesRequest({ id: 7, meta: { sample_rate } }, `request ${n}`),
    );
    return judged.filter(Boolean).length / judged.length;
  };

  it('has the rate of its configuration, all requests without one', () => {
    expect(share(undefined)).toBe(1);
    expect(share(0)).toBe(0);
    expect(share(30)).toBeGreaterThan(0.25);
    expect(share(30)).toBeLessThan(0.35);
  });

  it('repeats its decision', () => {
    const sentinel = { id: 7, meta: { sample_rate: 50 } };
    expect(judgesRequest(sentinel, 'x')).toBe(judgesRequest(sentinel, 'x'));
  });
});
