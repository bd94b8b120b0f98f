import type { Condition, ConditionGroup, TracedCondition } from '@signalbox/sdk';

/** `met` is null before the condition was evaluated. */
export interface ConditionLeaf {
  kind: 'condition';
  words: string;
  name: string | null;
  met: { actual: unknown; result: boolean } | null;
}
export interface ConditionBranch {
  kind: 'group';
  words: string;
  children: (ConditionLeaf | ConditionBranch)[];
}

const OPERATORS: Record<Condition['operator'], string> = {
  equals: '=',
  not_equals: '≠',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  contains: 'contains',
  not_contains: 'does not contain',
  matches: 'matches',
  exists: 'is there',
  does_not_exist: 'is not there',
  is_true: 'is true',
  is_false: 'is false',
  is_empty: 'is empty',
  is_not_empty: 'is not empty',
  in: 'is one of',
  not_in: 'is none of',
  length_gt: 'is longer than',
  length_lt: 'is shorter than',
};

export function conditionWords({ path, source, operator, value }: Condition): string {
  const subject = path ?? (source === 'text' ? 'the text' : 'the output');
  const compared = value === undefined ? '' : ` ${typeof value === 'string' ? `"${value}"` : JSON.stringify(value)}`;
  return `${subject} ${OPERATORS[operator]}${compared}`;
}

const groupWords = ({ op, negate = false }: ConditionGroup): string =>
  `${negate ? 'not ' : ''}${op === 'AND' ? 'all of' : 'one of'}`;

/**
 * A trace lists the conditions of a group in order; one that does not fit, because the configuration has changed since,
 * is ignored.
 */
export function conditionTree(group: ConditionGroup, trace: readonly TracedCondition[] = []): ConditionBranch {
  const left = countOf(group) === trace.length ? [...trace] : [];
  const branch = (of: ConditionGroup): ConditionBranch => ({
    kind: 'group',
    words: groupWords(of),
    children: of.children.map((child) => {
      if (child.kind === 'group') return branch(child);
      const met = left.shift();
      return {
        kind: 'condition',
        words: conditionWords(child),
        name: child.id ?? null,
        met: met ? { actual: met.actual, result: met.result } : null,
      };
    }),
  });
  return branch(group);
}

const countOf = ({ children }: ConditionGroup): number =>
  children.reduce((sum, child) => sum + (child.kind === 'group' ? countOf(child) : 1), 0);
