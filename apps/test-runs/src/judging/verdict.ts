import type { CriterionResult, DiffResult, ExpectationSource, FailureClass } from '@signalbox/contracts';
import { isMatch } from './output-diff.js';
import type { Output } from './output.js';

export interface Expectation {
  source: ExpectationSource;
  output: Output | null;
  sub_id: number | null;
}

/** The override takes precedence over the baseline. */
export function expectationOf(
  baseline: Output | null,
  sub: { id: number; expected_output: Output } | null,
): Expectation {
  if (sub) return { source: 'sub', output: sub.expected_output, sub_id: sub.id };
  return baseline
    ? { source: 'baseline', output: baseline, sub_id: null }
    : { source: 'none', output: null, sub_id: null };
}

export interface Verdict {
  matched: boolean | null;
  failure_class: FailureClass | null;
}

/**
 * docs/api/tests.md. `results` are those of the applicable criteria; null when the run has none, so that the default
 * comparison decides.
 */
export function verdictOf(diff: DiffResult | null, results: readonly CriterionResult[] | null): Verdict {
  if (results === null) return { matched: diff && isMatch(diff), failure_class: null };
  if (results.some(({ failure_class }) => failure_class)) return { matched: null, failure_class: 'judge' };
  return { matched: results.length === 0 ? null : results.every(({ passed }) => passed), failure_class: null };
}
