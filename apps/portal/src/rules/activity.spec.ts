import { activityWords, alertValue, bucketsOf, faultRate, firstDay, ruleWords, sumOf } from './activity.js';

const HOUR = 3_600_000;
const counts = (pass: number, fault: number, error = 0, warning = 0) => ({
  ...{ pass, fault, error, warning },
  total: pass + fault + error + warning,
});

describe('the activity of a monitor', () => {
  it('has a bucket for each hour, those without verdicts as well', () => {
    const buckets = bucketsOf([{ ...counts(1, 2), timestamp: 2 * HOUR }], 'hour', HOUR, 3 * HOUR);
    expect(buckets.map(({ timestamp, total }) => [timestamp / HOUR, total])).toEqual([
      [1, 0],
      [2, 3],
      [3, 0],
    ]);
    expect(sumOf(buckets)).toEqual(counts(1, 2));
  });

  it('has whole days, at whatever hour it is looked at', () => {
    const now = Date.UTC(2026, 10, 29, 15, 30);
    expect(firstDay(now, 14)).toBe(Date.UTC(2026, 10, 16));
    const buckets = bucketsOf([], 'day', firstDay(now, 14), now);
    expect(buckets.map(({ timestamp }) => timestamp)).toEqual(
      Array.from({ length: 14 }, (_, n) => Date.UTC(2026, 10, 16 + n)),
    );
  });

  it('counts an error neither as a fault nor as a verdict', () => {
    expect(faultRate(counts(3, 1, 6))).toBe(0.25);
    expect(faultRate(counts(0, 0, 6))).toBeNull();
  });

  it('is a sentence', () => {
    expect(activityWords(counts(0, 0))).toBe('Nothing was judged.');
    expect(activityWords(counts(2, 1, 1, 1))).toBe('25 % faults of 4 judged, 1 warnings, 1 could not be judged.');
  });
});

describe('an alert', () => {
  it('says by which rule it was opened, and at which value', () => {
    const rule = { metric: 'fault_rate' as const, threshold: 0.3, window_ms: HOUR, min_runs: 5 };
    expect(ruleWords(rule)).toBe('at least 30 % faults within 1 h 0 min, of at least 5');
    expect(ruleWords({ metric: 'consecutive_faults', threshold: 3 })).toBe('3 faults in a row');
    expect(alertValue('fault_rate', 0.5)).toBe('50 %');
    expect(alertValue('consecutive_faults', 4)).toBe('4 in a row');
  });
});
