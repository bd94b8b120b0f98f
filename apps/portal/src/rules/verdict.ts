import type { ComparedItem, Expected, RunDifference } from '@signalbox/sdk';
import { percent } from './formats.js';

/** ERROR is no verdict, so it is neither better nor worse. */
export type Change = 'worse' | 'better' | 'same' | 'error';

export function changeOf({ results }: ComparedItem, baseId: number, runId: number): Change {
  const [base, run] = [results[String(baseId)], results[String(runId)]];
  if (!base || !run || base.outcome === 'ERROR' || run.outcome === 'ERROR') return 'error';
  if (base.matched === run.matched) return 'same';
  return run.matched === true ? 'better' : 'worse';
}

const VERDICTS: Record<RunDifference['verdict'], string> = {
  better: 'Better',
  worse: 'Worse',
  no_difference_shown: 'No difference is shown',
  too_few: 'Too few items to tell',
};

export function verdictWords({ verdict, difference, low, high, n }: RunDifference): string {
  const items = `${n} compared item${n === 1 ? '' : 's'}`;
  if (difference === null) return `${VERDICTS[verdict]}: ${items}.`;
  const interval = low === null || high === null ? '' : ` (between ${signed(low)} and ${signed(high)})`;
  return `${VERDICTS[verdict]}: ${signed(difference)}${interval}, on ${items}.`;
}

const TESTS: Record<string, string> = { mcnemar_tango: 'McNemar and Tango', paired_t: 'paired t test' };

export function testWords({ method }: Pick<RunDifference, 'method'>): string {
  const [test = '', ...adjusted] = method.split(', ');
  return [TESTS[test] ?? test, ...adjusted.map((by) => `adjusted by ${by}`)].join(', ');
}

const signed = (share: number): string => `${share > 0 ? '+' : ''}${percent(share)}`;

export function answerText(answer: unknown): string | null {
  if (answer === null || answer === undefined) return null;
  if (typeof answer !== 'object') return String(answer);
  const { text, message, json } = answer as Expected;
  if (typeof text === 'string') return text;
  if (typeof message?.content === 'string' && !message.tool_calls?.length) return message.content;
  return JSON.stringify(json ?? message ?? answer, null, 2);
}

/** «This answer is right». */
export function expectedFrom(answer: unknown): Expected | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const { text, message, json } = answer as Expected;
  if (typeof text === 'string') return { text };
  if (message) return { message };
  return json === undefined ? null : { json };
}

/** JSON stays JSON. */
export function expectedOf(text: string, before: Expected | null): Expected {
  if (before?.json === undefined) return { text };
  return { json: JSON.parse(text) as unknown };
}
