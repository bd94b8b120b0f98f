import { type Condition, type ConditionOperator, sameJson } from '@signalbox/contracts';
import { LRUCache } from 'lru-cache';
import { codePointsOf } from './linear-search.js';
import type { TextOperator, TextTest } from './text-test.js';

export interface ConditionInput {
  json: unknown;
  text: string;
}

/** No other operator is true for a missing path. */
const TRUE_WHEN_MISSING = new Set<ConditionOperator>([
  'does_not_exist',
  'not_equals',
  'not_contains',
  'not_in',
  'is_empty',
]);

const MAX_PATHS = 1000;
const stepsByPath = new LRUCache<string, readonly string[]>({ max: MAX_PATHS });

function stepsOf(path: string): readonly string[] {
  const known = stepsByPath.get(path);
  if (known) return known;
  const steps = path
    .replace(/\[(\d+)\]/g, '.$1')
    .split('.')
    .filter(Boolean);
  stepsByPath.set(path, steps);
  return steps;
}

/** Dotted path with `[n]`; undefined when it does not exist. Only own properties are followed. */
export function valueAt(root: unknown, path: string): unknown {
  let at = root;
  for (const step of stepsOf(path)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as Record<string, unknown>)[step];
  }
  return at;
}

export const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const isPlain = (value: unknown): boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Values often arrive as text, so 5 and "5" are equal. */
export function areEqual(subject: unknown, value: unknown): boolean {
  if (subject === undefined) return false;
  if (sameJson(subject, value)) return true;
  return isPlain(subject) && isPlain(value) && asText(subject) === asText(value);
}

/** Parsing longer texts as numbers would be slow. */
const MAX_NUMBER_CHARS = 400;

function orderable(side: unknown): unknown {
  const isNumeric =
    typeof side === 'string' && side.length <= MAX_NUMBER_CHARS && side.trim() !== '' && Number.isFinite(Number(side));
  return isNumeric ? Number(side) : side;
}

/** Negative when `subject` comes first, as numbers or as texts; null when not comparable. */
export function orderOf(subject: unknown, value: unknown): number | null {
  const [left, right] = [orderable(subject), orderable(value)];
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0;
  return null;
}

/** An item of a list, or a key of an object. */
export function holdsValue(subject: unknown, value: unknown): boolean {
  if (Array.isArray(subject)) return subject.some((item) => areEqual(item, value));
  return typeof subject === 'object' && subject !== null && typeof value === 'string' && Object.hasOwn(subject, value);
}

export const subjectOf = ({ source, path }: Condition, input: ConditionInput): unknown =>
  source === 'text' ? input.text : valueAt(input.json, path ?? '');

export function textTestOf({ operator, value }: Condition, subject: unknown): TextTest | null {
  const named = textOperatorOf(operator, subject);
  return named && { operator: named, pattern: asText(value), text: asText(subject) };
}

function textOperatorOf(operator: ConditionOperator, subject: unknown): TextOperator | null {
  if (operator === 'matches') return subject === undefined ? null : 'matches';
  const contains = operator === 'contains' || operator === 'not_contains';
  return contains && typeof subject === 'string' ? 'contains' : null;
}

const isAmong = (subject: unknown, values: unknown): boolean =>
  Array.isArray(values) && values.some((item) => areEqual(subject, item));

/** Code points, items or keys. */
function lengthOf(subject: unknown): number | null {
  if (typeof subject === 'string') return codePointsOf(subject).length;
  return typeof subject === 'object' && subject !== null ? Object.keys(subject).length : null;
}

const isEmpty = (subject: unknown): boolean =>
  subject === null || (typeof subject === 'string' ? subject === '' : lengthOf(subject) === 0);

/** `passed` is the result of the text test, if the condition has one. */
export function conditionHolds({ operator, value }: Condition, subject: unknown, passed: boolean): boolean {
  if (subject === undefined) return TRUE_WHEN_MISSING.has(operator);
  switch (operator) {
    case 'exists':
      return true;
    case 'does_not_exist':
      return false;
    case 'equals':
      return areEqual(subject, value);
    case 'not_equals':
      return !areEqual(subject, value);
    case 'gt':
      return (orderOf(subject, value) ?? NaN) > 0;
    case 'gte':
      return (orderOf(subject, value) ?? NaN) >= 0;
    case 'lt':
      return (orderOf(subject, value) ?? NaN) < 0;
    case 'lte':
      return (orderOf(subject, value) ?? NaN) <= 0;
    case 'contains':
      return typeof subject === 'string' ? passed : holdsValue(subject, value);
    case 'not_contains':
      return !(typeof subject === 'string' ? passed : holdsValue(subject, value));
    case 'matches':
      return passed;
    case 'is_true':
      return areEqual(subject, true);
    case 'is_false':
      return areEqual(subject, false);
    case 'is_empty':
      return isEmpty(subject);
    case 'is_not_empty':
      return !isEmpty(subject);
    case 'in':
      return isAmong(subject, value);
    case 'not_in':
      return !isAmong(subject, value);
    case 'length_gt':
      return typeof value === 'number' && (lengthOf(subject) ?? NaN) > value;
    case 'length_lt':
      return typeof value === 'number' && (lengthOf(subject) ?? NaN) < value;
  }
}
