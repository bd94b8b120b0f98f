import { scoredBy } from './scorer-return.js';

describe('what a script returns', () => {
  it.each<[unknown, number, { score: number; passed: boolean; description?: string }]>([
    [true, 1, { score: 1, passed: true, description: 'the script returned true' }],
    [false, 0, { score: 0, passed: false }],
    [0.7, 0.7, { score: 0.7, passed: true }],
    [0.69, 0.7, { score: 0.69, passed: false }],
    [0, 0, { score: 0, passed: true }],
    [{ pass: true }, 1, { score: 1, passed: true }],
    [{ pass: true, score: 0.2, reason: 'why' }, 1, { score: 0.2, passed: true, description: 'why' }],
    [{ pass: false, score: 1 }, 0, { score: 1, passed: false }],
    [{ score: 0.5, pass: null, reason: null, more: [] }, 0.5, { score: 0.5, passed: true }],
  ])('%j at the threshold %p', (returned, threshold, expected) => {
    expect(scoredBy(returned, threshold)).toMatchObject(expected);
  });

  it.each<[unknown, string]>([
    [null, 'the script returned nothing: it must return a boolean, a number from 0 to 1'],
    [1.01, 'the script returned 1.01: it must return'],
    [-0.1, 'the script returned -0.1'],
    ['true', 'the script returned "true"'],
    [[true], 'the script returned [true]'],
    [{}, 'the script returned {}'],
    [{ reason: 'only' }, 'the script returned {"reason":"only"}'],
    [{ pass: 1 }, 'pass must be a boolean'],
    [{ pass: true, score: 5 }, 'score must be a number from 0 to 1'],
    [{ score: '0.5' }, 'score must be a number from 0 to 1'],
    [{ pass: true, reason: {} }, 'reason must be a text'],
  ])('%j is no score', (returned, problem) => {
    expect(scoredBy(returned, 0)).toEqual({ problem: expect.stringContaining(problem) });
  });

  it('is shown in part when it is long', () => {
    const { problem } = scoredBy('x'.repeat(10_000), 1) as { problem: string };
    expect(problem.length).toBeLessThan(250);
    expect(scoredBy({ pass: true, reason: 'x'.repeat(10_000) }, 1)).toMatchObject({
      description: expect.stringMatching(/^x{1999}…$/),
    });
  });
});
