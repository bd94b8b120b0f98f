import type { DiffResult, Message } from '@signalbox/contracts';
import { type DiffOptions, fieldDiff, sameText } from './field-diff.js';
import { contentOf, jsonOf, messageOf, type Output, parsed, textOf } from './output.js';

const isBranch = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** The output is converted to the shape of the expectation first (docs/api/tests.md). */
export function diffOutputs(expected: Output, actual: Output, options: DiffOptions = {}): DiffResult {
  if ('text' in expected) return compareTexts(expected.text, textOf(actual), options, 'text');
  if ('json' in expected) return compareJson(expected.json, actual, options);
  return compareMessages(expected.message, messageOf(actual), options);
}

export const isMatch = ({ matched_count, total_count }: DiffResult): boolean => matched_count === total_count;

function compareTexts(expected: string, actual: string, options: DiffOptions, path: string): DiffResult {
  const [left, right] = [parsed(expected), parsed(actual)];
  if (isBranch(left) && isBranch(right)) return fieldDiff(left, right, options);
  const matches = sameText(expected, actual, options);
  return fieldDiff({ [path]: matches ? actual : expected }, { [path]: actual }, options);
}

function compareJson(expected: unknown, actual: Output, options: DiffOptions): DiffResult {
  const value = jsonOf(actual);
  // A text that is not JSON differs as a whole.
  return value === undefined
    ? fieldDiff(expected, isBranch(expected) ? textOf(actual) : [textOf(actual)], options)
    : fieldDiff(expected, value, options);
}

function compareMessages(expected: Message, actual: Message, options: DiffOptions): DiffResult {
  return fieldDiff(comparable(expected), comparable(actual), options);
}

function comparable(message: Message): Record<string, unknown> {
  const calls = (message.tool_calls ?? []).map(({ function: { name, arguments: given } }) => ({
    name,
    arguments: parsed(given) ?? given,
  }));
  const content = contentOf(message);
  const json = parsed(content);
  return { content: isBranch(json) ? json : content, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
}
