import type { CriterionResult, DiffResult, FailureClass } from '@signalbox/contracts';
import { agreementOf, majority } from './agreement.js';
import type { Output } from './output.js';
import type { Expectation } from './verdict.js';

export interface ScoredRepeat {
  matched: boolean | null;
  failure_class: FailureClass | null;
  diff: DiffResult | null;
  criteria: CriterionResult[];
}

export interface ItemScoreState {
  expectation_source: Expectation['source'];
  response_sub_id: number | null;
  expected_output_used: Output | null;
  matched: boolean | null;
  diff_result: DiffResult | null;
  criteria_results: CriterionResult[];
  failure_class: 'judge' | null;
  /** In the order of the repeats. */
  repeats_matched: (boolean | null)[];
  /** For each repeat; null for a single one. */
  repeats_results: CriterionResult[][] | null;
}

export interface ScoredItem {
  score: ItemScoreState;
  agreement: number | null;
}

/**
 * Matched when most repeats are. Shows the comparison and the criteria of the first repeat with the verdict of the
 * item; one repeat whose judge failed makes the item an error.
 */
export function scoredItem(expectation: Expectation, repeats: readonly ScoredRepeat[]): ScoredItem {
  const judgeFailed = repeats.find(({ failure_class }) => failure_class === 'judge');
  const verdicts = repeats.map((repeat) => repeat.matched);
  const matched = judgeFailed ? null : majority(verdicts);
  const shown = judgeFailed ?? repeats.find((repeat) => repeat.matched === matched) ?? repeats[0];
  return {
    score: {
      expectation_source: expectation.source,
      response_sub_id: expectation.sub_id,
      expected_output_used: expectation.output,
      matched,
      diff_result: shown?.diff ?? null,
      criteria_results: shown?.criteria ?? [],
      failure_class: judgeFailed ? 'judge' : null,
      repeats_matched: verdicts,
      repeats_results: repeats.length > 1 ? repeats.map(({ criteria }) => criteria) : null,
    },
    agreement: judgeFailed ? null : agreementOf(verdicts),
  };
}
