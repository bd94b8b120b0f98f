import { table } from '../client/tables.js';
import type { Evaluation } from './evaluation.js';
import { percent, type Verdict } from './verdict.js';

const LONGEST_TEXT = 200;

function shownItems({ compared_with, worse, worse_total, failing, failing_total }: Evaluation) {
  const isWorse = compared_with !== null && worse.length > 0;
  const [items, total] = worse.length > 0 ? [worse, worse_total] : [failing, failing_total];
  const shown = items.length < total ? ` (the first ${items.length} of ${total})` : '';
  return {
    items,
    title: `${isWorse ? `Regressions since run ${compared_with.id}` : 'Items that do not pass'}${shown}`,
  };
}

export function rateLine({ run, compared_with }: Evaluation): string {
  const before = compared_with === null ? '' : `, ${percent(compared_with.match_rate)} in run ${compared_with.id}`;
  const verdict = compared_with?.differences.find(({ criteria_id }) => criteria_id === null)?.verdict;
  return `${percent(run.match_rate)}${before}${verdict === undefined ? '' : ` (${verdict.replaceAll('_', ' ')})`}`;
}

export function textReport(evaluation: Evaluation, verdict: Verdict): string {
  const { run, gate } = evaluation;
  const { items, title } = shownItems(evaluation);
  const { id, total_items, matched_items, failed_items } = run;
  return [
    `test run ${id}: ${verdict.passed ? 'passed' : 'failed'}`,
    ...verdict.reasons.map((reason) => `  ${reason}`),
    `match rate  ${rateLine(evaluation)}`,
    `items       ${total_items}, matched ${matched_items ?? '-'}, errors ${failed_items}`,
    ...(gate === null ? [] : [`gate        ${gate.passed ? 'passed' : 'refused'}`]),
    ...(items.length === 0 ? [] : ['', title, table(items.map((each) => ({ ...each })))]),
  ].join('\n');
}

/** Texts of models must not become markup, mentions or links. */
const plain = (text: string): string => {
  const short = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  return short
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/[^\p{L}\p{N}\p{Emoji_Presentation} .,;?…%-]/gu, (character) => `&#${character.codePointAt(0) ?? 0};`);
};

export function markdownReport(evaluation: Evaluation, verdict: Verdict, heading: string): string {
  const { run, gate } = evaluation;
  const { items, title } = shownItems(evaluation);
  const rows = items.map(
    ({ item, before, now, expected, actual, why }) =>
      `| ${item} | ${before ?? '-'} | ${now ?? '-'} | ${plain(expected)} | ${plain(actual)} | ${plain(why)} |`,
  );
  const lines = [
    `### ${verdict.passed ? 'Passed' : 'Failed'}: ${plain(heading)}`,
    '',
    ...verdict.reasons.map((reason) => `- ${plain(reason)}`),
    ...(verdict.reasons.length > 0 ? [''] : []),
    '| Test run | Match rate | Items | Matched | Errors | Gate |',
    '| --- | --- | --- | --- | --- | --- |',
    `| ${run.id} | ${rateLine(evaluation)} | ${run.total_items} | ${run.matched_items ?? '-'} | ${run.failed_items} | ${gate === null ? '-' : gate.passed ? 'passed' : 'refused'} |`,
    ...(rows.length === 0
      ? []
      : [
          '',
          title,
          '',
          '| Item | Before | Now | Expected | Actual | Why |',
          '| --- | --- | --- | --- | --- | --- |',
          ...rows,
        ]),
  ];
  return `${lines.join('\n')}\n`;
}
