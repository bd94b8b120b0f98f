import type { GateResult, TestRun } from '@signalbox/sdk';

export interface Verdict {
  passed: boolean;
  code: 0 | 1 | 5;
  reasons: string[];
}

const GREEN = 0;
const FAILED = 1;
const BELOW = 5;

export const percent = (share: number | null): string =>
  share === null ? '-' : `${Math.round(share * 10_000) / 100} %`;

export interface Judged {
  run: TestRun;
  gate: GateResult | null;
  /** Items that have worked and have no verdict: nothing is expected of them, and no criterion applies. */
  unscored: number;
}

/**
 * Errors say nothing about quality: they fail a run unless its gate has accepted them. The same holds for items without
 * a verdict, which no gate accepts.
 */
export function verdictOf({ run, gate, unscored }: Judged, bar: number): Verdict {
  const { match_rate, failed_items, id } = run;
  const broken = (reason: string): Verdict => ({ passed: false, code: FAILED, reasons: [reason] });
  if (run.cancelled_at !== null) return broken(`test run ${id} was cancelled`);
  if (run.scored_at === null) return broken(`test run ${id} could not be scored`);
  if (match_rate === null)
    return broken(failed_items > 0 ? `all ${failed_items} items ended in errors` : `test run ${id} has no scored item`);
  const reasons = [
    ...(match_rate < bar ? [`the match rate is ${percent(match_rate)}, below ${percent(bar)}`] : []),
    ...(gate && !gate.passed ? gate.reasons.map((reason) => `gate: ${reason}`) : []),
  ];
  if (reasons.length > 0) return { passed: false, code: BELOW, reasons };
  const isAccepted = gate?.passed === true && gate.test_run_id === id;
  if (failed_items > 0 && !isAccepted) return broken(`${failed_items} items ended in errors`);
  if (unscored > 0) return broken(`${unscored} items have no verdict: no expected output and no criterion applies`);
  return { passed: true, code: GREEN, reasons: [] };
}
