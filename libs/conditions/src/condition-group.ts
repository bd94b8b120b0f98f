import { type Condition, type ConditionGroup, conditionsOf } from '@signalbox/contracts';
import { asText, conditionHolds, type ConditionInput, subjectOf, textTestOf } from './condition.js';
import { passesInPlace, type TextTest } from './text-test.js';
import type { TextTests } from './text-tests.js';

export function groupHolds(
  { op, negate = false, children }: ConditionGroup,
  holds: (condition: Condition) => boolean,
): boolean {
  const childHolds = (child: ConditionGroup | Condition): boolean =>
    child.kind === 'group' ? groupHolds(child, holds) : holds(child);
  return (op === 'AND' ? children.every(childHolds) : children.some(childHolds)) !== negate;
}

/** `id` is that of the condition, or its position. */
export interface ConditionTrace {
  id: string;
  actual: unknown;
  result: boolean;
}

export interface GroupTrace {
  result: boolean;
  conditions: ConditionTrace[];
}

/** Longer values are cut in traces. */
const MAX_ACTUAL_CHARS = 1000;

function shown(subject: unknown): unknown {
  const text = asText(subject);
  return text.length <= MAX_ACTUAL_CHARS ? (subject ?? null) : `${text.slice(0, MAX_ACTUAL_CHARS).toWellFormed()}…`;
}

interface ReadCondition {
  id: string;
  condition: Condition;
  subject: unknown;
  test: TextTest | null;
}

const read = (group: ConditionGroup, input: ConditionInput): ReadCondition[] =>
  conditionsOf(group).map(({ id, condition }) => {
    const subject = subjectOf(condition, input);
    return { id, condition, subject, test: textTestOf(condition, subject) };
  });

function traceOf(group: ConditionGroup, conditions: readonly ReadCondition[], passed: readonly boolean[]): GroupTrace {
  const results = new Map<Condition, boolean>();
  const traces = conditions.map(({ id, condition, subject }, at) => {
    const result = conditionHolds(condition, subject, passed[at] ?? false);
    results.set(condition, result);
    return { id, actual: shown(subject), result };
  });
  return { result: groupHolds(group, (condition) => results.get(condition) ?? false), conditions: traces };
}

/** Null when a text test of the group needs a thread. */
export function traceInPlace(group: ConditionGroup, input: ConditionInput): GroupTrace | null {
  const conditions = read(group, input);
  const passed: boolean[] = [];
  for (const { test } of conditions) {
    const inPlace = test ? passesInPlace(test) : false;
    if (inPlace === null) return null;
    passed.push(inPlace);
  }
  return traceOf(group, conditions, passed);
}

/** Text tests first, within their limits, then everything else. */
export async function traceGroup(
  companyId: number,
  group: ConditionGroup,
  input: ConditionInput,
  tests: Pick<TextTests, 'passes'>,
): Promise<GroupTrace> {
  const conditions = read(group, input);
  const passed: boolean[] = [];
  for (const { test } of conditions) passed.push(test !== null && (await tests.passes(companyId, test)));
  return traceOf(group, conditions, passed);
}

/**
 * Evaluates a group.
 *
 * @public for the services that need no trace
 */
export async function evaluateGroup(
  companyId: number,
  group: ConditionGroup,
  input: ConditionInput,
  tests: Pick<TextTests, 'passes'>,
): Promise<boolean> {
  return (await traceGroup(companyId, group, input, tests)).result;
}
