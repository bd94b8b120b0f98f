import { type GatedRun, gateVerdict, nothingMatches } from './gate.js';

const NOW = 1_000_000_000;
const run: GatedRun = {
  noun: 'test run',
  no: 7,
  completed_at: NOW - 1000,
  scored_at: NOW,
  total: 100,
  matched: 95,
  mismatched: 5,
  errors: 0,
  cancelled_at: null,
  scoring: null,
  hasCriteriaOfSet: true,
  stale: 0,
  stale_items: [],
};
const policy = { test_set_id: 3, min_match_rate: 0.9, max_age_ms: 60_000, max_error_rate: 0 };
const unmet = (change: Partial<GatedRun>, other: Partial<typeof policy> & { confidence?: number } = {}): string[] =>
  gateVerdict({ ...run, ...change }, { ...policy, ...other }, NOW).unmet.map(({ field }) => field);

describe('a release gate', () => {
  it('passes with a green run', () => {
    expect(gateVerdict(run, policy, NOW)).toEqual({ passed: true, unmet: [], test_run_id: 7 });
  });

  it('does not pass without a run', () => {
    expect(nothingMatches('test run')).toEqual({
      passed: false,
      unmet: [{ field: 'test_run', message: 'no test run matches' }],
    });
  });

  it.each<[string, Partial<GatedRun>, Parameters<typeof unmet>[1], string[]]>([
    ['a match rate below the least one', { matched: 89, mismatched: 11 }, {}, ['match_rate']],
    ['the least match rate', { matched: 90, mismatched: 10 }, {}, []],
    ['an error', { errors: 1 }, {}, ['error_rate']],
    ['errors up to the limit', { errors: 5 }, { max_error_rate: 0.05 }, []],
    ['a run that is too old', { completed_at: NOW - 60_001 }, {}, ['age']],
    ['a run of the greatest age', { completed_at: NOW - 60_000 }, {}, []],
    ['a run that was not scored', { scored_at: null, matched: 0, mismatched: 0 }, {}, ['scored']],
    ['a run without a scored item', { matched: 0, mismatched: 0 }, {}, ['scored']],
    ['a score from before its completion', { scored_at: NOW - 1001 }, {}, ['scored']],
    ['an unscored item', { matched: 94 }, {}, ['scored']],
    ['scores by other criteria', { hasCriteriaOfSet: false }, {}, ['criteria']],
    ['items that have changed since', { stale: 2, stale_items: [4, 5] }, {}, ['items']],
    ['a cancelled run', { cancelled_at: NOW }, {}, ['test_run']],
    [
      'all of it',
      { matched: 1, mismatched: 9, errors: 9, completed_at: 0, hasCriteriaOfSet: false, stale: 30 },
      {},
      ['scored', 'criteria', 'items', 'match_rate', 'error_rate', 'age'],
    ],
    // The Wilson interval of 95 of 100 at 95 % begins at 0.888.
    ['a lower bound below the least match rate', {}, { confidence: 0.95 }, ['match_rate']],
    ['a lower bound above the least match rate', {}, { confidence: 0.95, min_match_rate: 0.88 }, []],
    ['few items that all match', { total: 3, matched: 3, mismatched: 0 }, { confidence: 0.95 }, ['match_rate']],
  ])('with %s has unmet conditions', (_name, change, other, expected) => {
    expect(unmet(change, other)).toEqual(expected);
  });

  it('names the items that have changed', () => {
    const { unmet: problems, stale_items } = gateVerdict({ ...run, stale: 3, stale_items: [4, 5] }, policy, NOW);
    expect(problems[0]?.message).toBe('3 items of the test set have changed since test run 7: 4, 5 and more');
    expect(stale_items).toEqual([4, 5]);
  });

  it('passes with a green check of a monitor, whose items may lack an expectation', () => {
    expect(
      gateVerdict({ ...run, noun: 'check', matched: 90, total: 200 }, { ...policy, min_match_rate: 0.9 }, NOW),
    ).toEqual({ passed: true, unmet: [] });
  });

  it('passes with a green check of a monitor, which is no test run', () => {
    expect(gateVerdict({ ...run, noun: 'check' }, policy, NOW)).toEqual({ passed: true, unmet: [] });
  });

  it('says that a run is being scored, whatever its scores are until now', () => {
    const scoring = { scored: 10, total: 100 };
    expect(gateVerdict({ ...run, scored_at: null, matched: 1, mismatched: 9, scoring }, policy, NOW)).toEqual({
      passed: false,
      unmet: [{ field: 'scored', message: 'test run 7 is being scored: 10 of 100 items until now' }],
      test_run_id: 7,
    });
  });

  it('says what is wrong', () => {
    const { unmet: problems } = gateVerdict({ ...run, matched: 80, mismatched: 20 }, policy, NOW);
    expect(problems[0]?.message).toBe('the match rate of test run 7 is 80 %, below 90 %');
  });
});
