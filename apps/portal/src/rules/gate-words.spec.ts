import { conditionsOf, DEFAULT_WORDS, shownVersions, standingWords } from './gate-words.js';

describe('a gate in words', () => {
  it('says what it asks for', () => {
    const policy = { test_set_id: 7, min_match_rate: 0.9, max_age_ms: 86_400_000 };
    expect(conditionsOf(policy)).toEqual([
      'test set 7 was run on exactly this version and is judged',
      'at least 90 % of its items match',
      'no item ended in an error',
      'the run is younger than 1 day',
    ]);
    const loose = conditionsOf({ ...policy, max_error_rate: 0.05, confidence: 0.95, max_age_ms: 7_200_000 });
    expect(loose.slice(1)).toEqual([
      'at least 90 % of its items match with 95 % confidence',
      'at most 5 % ended in an error',
      'the run is younger than 2 hours',
    ]);
    expect(conditionsOf({ ...policy, max_age_ms: 129_600_000 }).at(-1)).toBe('the run is younger than 1.5 days');
  });

  it('says how a version stands, and every reason why it is blocked', () => {
    expect(standingWords({ kind: 'here' })).toEqual({ state: 'HERE', reason: '' });
    expect(standingWords({ kind: 'free' })).toEqual({ state: 'MAY_MOVE', reason: 'no gate' });
    const blocked = { passed: false, reasons: ['below 90 %', 'too old'] };
    expect(standingWords({ kind: 'checked', result: blocked })).toEqual({
      state: 'BLOCKED',
      reason: 'below 90 %; too old',
    });
    expect(standingWords({ kind: 'checked', result: { passed: true, reasons: [] } }).state).toBe('MAY_MOVE');
  });

  it('says of calls without a version what they run: the draft, also when there is a default', () => {
    expect(DEFAULT_WORDS.agent).toMatch(/intent .*A call that names neither a release nor a version runs the draft/);
    expect(DEFAULT_WORDS.workflow).toMatch(/neither a release nor a version runs the draft/);
    expect(DEFAULT_WORDS.monitor).toBe('Its version judges production from then on.');
  });

  it('shows the newest versions and those in use', () => {
    const versions = ['1.4.0', '1.3.0', '1.2.0', '1.1.0', '1.0.0'].map((version) => ({ version }));
    expect(shownVersions(versions, ['1.1.0'], 2).map(({ version }) => version)).toEqual(['1.4.0', '1.3.0', '1.1.0']);
  });
});
