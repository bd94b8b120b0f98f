import { table } from '../client/tables.js';
import type { Evaluation } from './evaluation.js';
import { percent, type Verdict } from './verdict.js';

const LONGEST_TEXT = 200;

/** What became worse, or what does not pass when there is nothing to compare with. */
export const worseTitle = ({ compared_with, worse, worse_total }: Evaluation): string => {
  const shown = worse.length < worse_total ? ` (the first ${worse.length} of ${worse_total})` : '';
  return compared_with === null
    ? `Items that do not pass${shown}`
    : `Regressions since run ${compared_with.id}${shown}`;
};

/** The rate of a run and that of the one before. */
export function rateLine({ run, compared_with }: Evaluation): string {
  const before = compared_with === null ? '' : `, ${percent(compared_with.match_rate)} in run ${compared_with.id}`;
  const verdict = compared_with?.differences.find(({ criteria_id }) => criteria_id === null)?.verdict;
  return `${percent(run.match_rate)}${before}${verdict === undefined ? '' : ` (${verdict.replaceAll('_', ' ')})`}`;
}

/** The result for a person at a terminal. */
export function textReport(evaluation: Evaluation, verdict: Verdict): string {
  const { run, gate, worse } = evaluation;
  const { id, total_items, matched_items, failed_items } = run;
  return [
    `test run ${id}: ${verdict.passed ? 'passed' : 'failed'}`,
    ...verdict.reasons.map((reason) => `  ${reason}`),
    `match rate  ${rateLine(evaluation)}`,
    `items       ${total_items}, matched ${matched_items ?? '-'}, errors ${failed_items}`,
    ...(gate === null ? [] : [`gate        ${gate.passed ? 'passed' : 'refused'}`]),
    ...(worse.length === 0 ? [] : ['', worseTitle(evaluation), table(worse.map((each) => ({ ...each })))]),
  ].join('\n');
}

/** Texts of models become no markup, mention or link of the page that shows them. */
const plain = (text: string): string => {
  const short = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  return short
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/[^\p{L}\p{N}\p{Emoji_Presentation} .,;?…%-]/gu, (character) => `&#${character.codePointAt(0) ?? 0};`);
};

/** The result as a comment of a pull request. */
export function markdownReport(evaluation: Evaluation, verdict: Verdict, title: string): string {
  const { run, gate, worse } = evaluation;
  const rows = worse.map(
    ({ item, before, now, expected, actual, why }) =>
      `| ${item} | ${before ?? '-'} | ${now ?? '-'} | ${plain(expected)} | ${plain(actual)} | ${plain(why)} |`,
  );
  const lines = [
    `### ${verdict.passed ? 'Passed' : 'Failed'}: ${plain(title)}`,
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
          worseTitle(evaluation),
          '',
          '| Item | Before | Now | Expected | Actual | Why |',
          '| --- | --- | --- | --- | --- | --- |',
          ...rows,
        ]),
  ];
  return `${lines.join('\n')}\n`;
}
