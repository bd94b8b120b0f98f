import { type Condition, type ConditionGroup, conditionsOf } from '@signalbox/contracts';
import { asText, conditionHolds, type ConditionInput, subjectOf, textTestOf } from './condition.js';
import type { TextTests } from './text-tests.js';

/** True when a group holds; `passed` returns the result of the text test of a condition. */
export function groupHolds(
  { op, negate = false, children }: ConditionGroup,
  input: ConditionInput,
  passed: (condition: Condition) => boolean,
): boolean {
  const holds = (child: ConditionGroup | Condition): boolean =>
    child.kind === 'group' ? groupHolds(child, input, passed) : conditionHolds(child, input, passed(child));
  return (op === 'AND' ? children.every(holds) : children.some(holds)) !== negate;
}

/** One condition of an evaluated group: its id or place, the value it read, and whether it held. */
export interface ConditionTrace {
  id: string;
  actual: unknown;
  result: boolean;
}

/** The result of a group and of each of its conditions. */
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

/** Evaluates a group with a trace of its conditions: first the text tests, within their limits, then everything else. */
export async function traceGroup(
  companyId: number,
  group: ConditionGroup,
  input: ConditionInput,
  tests: Pick<TextTests, 'passes'>,
): Promise<GroupTrace> {
  const passed = new Map<Condition, boolean>();
  const conditions = conditionsOf(group);
  for (const { condition } of conditions) {
    const test = textTestOf(condition, input);
    if (test) passed.set(condition, await tests.passes(companyId, test));
  }
  const hasPassed = (condition: Condition): boolean => passed.get(condition) ?? false;
  return {
    result: groupHolds(group, input, hasPassed),
    conditions: conditions.map(({ id, condition }) => ({
      id,
      actual: shown(subjectOf(condition, input)),
      result: conditionHolds(condition, input, hasPassed(condition)),
    })),
  };
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
