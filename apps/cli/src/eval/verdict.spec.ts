import type { GateResult, TestRun } from '@signalbox/sdk';
import { verdictOf } from './verdict.js';

const run = { id: 7, match_rate: 0.95, failed_items: 0, scored_at: 1, cancelled_at: null } as TestRun;
const gate: GateResult = { passed: true, reasons: [], test_run_id: 7 };
const refused: GateResult = { passed: false, reasons: ['too old'] };

describe('the verdict about a run', () => {
  it.each<[string, Partial<TestRun>, GateResult | null, number, string[]]>([
    ['above the bar', {}, null, 0, []],
    ['at the bar', { match_rate: 0.9 }, null, 0, []],
    ['below the bar', { match_rate: 0.8999 }, null, 5, ['the match rate is 89.99 %, below 90 %']],
    ['that its gate accepts', {}, gate, 0, []],
    ['that its gate refuses', {}, refused, 5, ['gate: too old']],
    ['below both', { match_rate: 0 }, refused, 5, ['the match rate is 0 %, below 90 %', 'gate: too old']],
    ['with errors', { failed_items: 2 }, null, 1, ['2 items ended in errors']],
    ['with errors that its gate accepts', { failed_items: 2 }, gate, 0, []],
    [
      'with errors and a gate without a policy',
      { failed_items: 2 },
      { passed: true, reasons: [] },
      1,
      ['2 items ended in errors'],
    ],
    ['with errors alone', { failed_items: 2, match_rate: null }, null, 1, ['all 2 items ended in errors']],
    ['without a scored item', { match_rate: null }, null, 1, ['test run 7 has no scored item']],
    ['that was cancelled', { cancelled_at: 1 }, gate, 1, ['test run 7 was cancelled']],
    ['that was not scored', { scored_at: null }, null, 1, ['test run 7 could not be scored']],
  ])('%s', (_name, change, of, code, reasons) => {
    const judged = { run: { ...run, ...change }, gate: of, unscored: 0 };
    expect(verdictOf(judged, 0.9)).toEqual({ passed: code === 0, code, reasons });
  });

  it('with items that have no verdict', () => {
    const reasons = ['3 items have no verdict: no expected output and no criterion applies'];
    expect(verdictOf({ run, gate: null, unscored: 3 }, 0.9)).toEqual({ passed: false, code: 1, reasons });
  });
});
