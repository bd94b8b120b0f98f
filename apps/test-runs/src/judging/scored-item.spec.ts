import { diffOutputs } from './output-diff.js';
import { scoredItem, type ScoredRepeat } from './scored-item.js';

const expectation = { source: 'baseline', output: { text: 'a' }, sub_id: null } as const;
const repeat = (no: number, matched: boolean | null, failure_class: 'judge' | null = null): ScoredRepeat => ({
  matched,
  failure_class,
  diff: diffOutputs({ text: 'a' }, { text: matched ? 'a' : `b${no}` }),
  criteria: [],
});

describe('the score of an item', () => {
  it('is that of its only repeat', () => {
    const { score, agreement } = scoredItem(expectation, [repeat(1, true)]);
    expect(score).toMatchObject({ expectation_source: 'baseline', matched: true, failure_class: null });
    expect(score.diff_result?.match_rate).toBe(1);
    expect(agreement).toBe(1);
  });

  it('is matched when most repeats are, and shows the first of them', () => {
    const { score, agreement } = scoredItem(expectation, [repeat(1, false), repeat(2, true), repeat(3, true)]);
    expect(score.matched).toBe(true);
    expect(score.repeats_matched).toEqual([false, true, true]);
    expect(score.diff_result?.match_rate).toBe(1);
    expect(agreement).toBeCloseTo(1 / 3);
  });

  it('is not matched at a tie', () => {
    const { score } = scoredItem(expectation, [repeat(1, true), repeat(2, false)]);
    expect(score.matched).toBe(false);
    expect(score.diff_result?.fields[0]).toMatchObject({ actual: 'b2' });
  });

  it('is an error of the judge when it failed for one repeat', () => {
    const { score, agreement } = scoredItem(expectation, [repeat(1, true), repeat(2, null, 'judge'), repeat(3, true)]);
    expect(score).toMatchObject({ matched: null, failure_class: 'judge' });
    expect(agreement).toBeNull();
  });
});
