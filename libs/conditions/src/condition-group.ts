import { type Condition, conditionHolds, type ConditionInput, textTestOf } from './condition.js';
import type { TextTests } from './text-tests.js';

/** A group of conditions and groups, of which all or one must hold. */
export interface ConditionGroup {
  kind: 'group';
  id?: string;
  op: 'AND' | 'OR';
  negate?: boolean;
  children: (ConditionGroup | Condition)[];
}

const MAX_DEPTH = 5;
const MAX_CHILDREN = 50;

/**
 * Returns the problem of the shape of a group, or null.
 *
 * @public for the services that store condition groups
 */
export function groupProblem(group: ConditionGroup, depth = 1): string | null {
  if (depth > MAX_DEPTH) return `groups are nested more than ${MAX_DEPTH} deep`;
  if (group.children.length > MAX_CHILDREN) return `a group has more than ${MAX_CHILDREN} children`;
  for (const child of group.children) {
    const problem = child.kind === 'group' ? groupProblem(child, depth + 1) : null;
    if (problem !== null) return problem;
  }
  return null;
}

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

const conditionsIn = ({ children }: ConditionGroup): Condition[] =>
  children.flatMap((child) => (child.kind === 'group' ? conditionsIn(child) : [child]));

/**
 * Evaluates a group: first the text tests, within their limits, then everything else.
 *
 * @public for the services that judge by condition groups
 */
export async function evaluateGroup(
  companyId: number,
  group: ConditionGroup,
  input: ConditionInput,
  tests: TextTests,
): Promise<boolean> {
  const passed = new Map<Condition, boolean>();
  for (const condition of conditionsIn(group)) {
    const test = textTestOf(condition, input);
    if (test) passed.set(condition, await tests.passes(companyId, test));
  }
  return groupHolds(group, input, (condition) => passed.get(condition) ?? false);
}
