import type { CriterionResult, DiffResult } from '@signalbox/contracts';
import type { ExportedItem, ExportedRun } from './exported-runs.repository.js';

/** Characters of one text in a report: a page of a pipeline shows no more. */
const MAX_CHARS = 4000;
const MAX_MESSAGE = 500;
const MAX_FIELDS = 3;

/** XML 1.0 cannot have these, not even as a reference. */
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
};

export const xmlText = (text: string, most = MAX_CHARS): string =>
  (text.length > most ? `${text.slice(0, most)}…` : text)
    .toWellFormed()
    .replace(FORBIDDEN, '\uFFFD')
    .replace(/[&<>"'\n\r\t]/g, (character) => ENTITIES[character] ?? character);

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

export function junitHead(run: ExportedRun): string {
  const { no, name, set_name, consumer, total, mismatched, errors, skipped, duration_ms, started_at } = run;
  const title = name ?? `${set_name}: ${consumer}`;
  const counts = `tests="${total}" failures="${mismatched}" errors="${errors}" skipped="${skipped}" time="${seconds(duration_ms)}"`;
  const started = started_at === null ? '' : ` timestamp="${new Date(started_at).toISOString()}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites ${counts}>
<testsuite name="${xmlText(title)}" id="${no}" ${counts}${started}>
`;
}

export const JUNIT_FOOT = '</testsuite>\n</testsuites>\n';

/** FAIL is a failure, ERROR an error; an item without a verdict was skipped. */
export function testCase({ set_name }: ExportedRun, item: ExportedItem): string {
  const { test_set_item_id, duration_ms } = item;
  const head = `<testcase classname="${xmlText(set_name)}" name="item ${test_set_item_id ?? ''}" time="${seconds(Number(duration_ms))}"`;
  const result = resultOf(item);
  return result === null ? `${head}/>\n` : `${head}>${result}</testcase>\n`;
}

function resultOf(item: ExportedItem): string | null {
  const { outcome, failure_class, error_message } = item;
  if (outcome === 'PASS') return null;
  if (outcome === null) return '<skipped/>';
  const tag = outcome === 'ERROR' ? 'error' : 'failure';
  const isJudged = outcome !== 'ERROR' || failure_class === 'judge';
  const message = isJudged ? reasonOf(item) : (error_message ?? '');
  const text = [
    ['expected', item.expected_output_used],
    ['actual', item.actual_output],
    ['input', item.adapted_input],
  ].flatMap(([name, json]) => (json == null ? [] : [`${name}: ${json.slice(0, MAX_CHARS)}`]));
  const type = xmlText(failure_class ?? '');
  return `<${tag} type="${type}" message="${xmlText(message, MAX_MESSAGE)}">${xmlText(text.join('\n'), 3 * MAX_CHARS)}</${tag}>`;
}

/** The criteria that are unmet or could not judge, else the fields that differ. */
function reasonOf({ criteria_results, diff_result, error_message }: ExportedItem): string {
  const unmet = (JSON.parse(criteria_results ?? '[]') as CriterionResult[]).filter(({ passed }) => passed !== true);
  if (unmet.length > 0) return unmet.map(({ name, description }) => `${name}: ${description}`).join('; ');
  const { fields = [] } = JSON.parse(diff_result ?? '{}') as Partial<DiffResult>;
  const different = fields.filter(({ status }) => status !== 'match');
  if (different.length === 0) return error_message ?? 'does not match';
  const named = different.slice(0, MAX_FIELDS).map(({ path, status }) => `${path === '' ? 'output' : path}: ${status}`);
  return `${named.join(', ')}${different.length > MAX_FIELDS ? ` and ${different.length - MAX_FIELDS} more` : ''}`;
}
