import { type FieldType, jsonProblem, type JsonSchema, OBJ_BOUNDS, stringType } from './fields/field-types.js';

/** The operators of conditions (docs/api/README.md). */
export const CONDITION_OPERATORS = [
  'equals',
  'not_equals',
  'gt',
  'gte',
  'lt',
  'lte',
  'contains',
  'not_contains',
  'matches',
  'exists',
  'does_not_exist',
  'is_true',
  'is_false',
  'is_empty',
  'is_not_empty',
  'in',
  'not_in',
  'length_gt',
  'length_lt',
] as const;
export type ConditionOperator = (typeof CONDITION_OPERATORS)[number];

/** A condition on a JSON value, on a path in it, or on a text. */
export interface Condition {
  kind: 'condition';
  id?: string;
  source: 'json' | 'text';
  path?: string | null;
  operator: ConditionOperator;
  value?: unknown;
}

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
const SOURCES = ['json', 'text'];
const GROUP_KEYS = ['kind', 'id', 'op', 'negate', 'children'];
const CONDITION_KEYS = ['kind', 'id', 'source', 'path', 'operator', 'value'];
/** Operators that compare with no value. */
const UNARY: readonly string[] = ['exists', 'does_not_exist', 'is_true', 'is_false', 'is_empty', 'is_not_empty'];

const idType = stringType(1, 200);
const pathType = stringType(0, 500);

type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('toJSON' in value);

function conditionProblem(node: Node): string | undefined {
  const { id, source, path, operator, value } = node;
  if (id !== undefined && idType.problem(id)) return `the id ${idType.problem(id)}`;
  if (!SOURCES.includes(source as string)) return `the source must be one of ${SOURCES.join(', ')}`;
  if (path != null && pathType.problem(path)) return `the path ${pathType.problem(path)}`;
  if (!CONDITION_OPERATORS.includes(operator as ConditionOperator))
    return `the operator must be one of ${CONDITION_OPERATORS.join(', ')}`;
  if (value === undefined && !UNARY.includes(operator as string))
    return `the operator ${operator as string} needs a value`;
  if (operator === 'matches' && typeof value !== 'string') return 'the operator matches needs a pattern as its value';
  if ((operator === 'in' || operator === 'not_in') && !Array.isArray(value))
    return `the operator ${operator} needs a list as its value`;
  return undefined;
}

function nodeProblem(node: unknown, at: string, depth: number): string | undefined {
  if (!isNode(node)) return `${at} must be an object`;
  const { kind } = node;
  if (kind !== 'group' && kind !== 'condition') return `${at} must have the kind "group" or "condition"`;
  const known = kind === 'group' ? GROUP_KEYS : CONDITION_KEYS;
  const unknown = Object.keys(node).find((key) => !known.includes(key));
  if (unknown !== undefined) return `${at}.${unknown} is not a known field`;
  if (kind === 'group') return groupProblem(node, at, depth);
  const problem = conditionProblem(node);
  return problem && `${at}: ${problem}`;
}

function groupProblem({ id, op, negate, children }: Node, at: string, depth: number): string | undefined {
  if (depth > MAX_DEPTH) return `${at} is nested more than ${MAX_DEPTH} groups deep`;
  if (id !== undefined && idType.problem(id)) return `${at}.id ${idType.problem(id)}`;
  if (op !== 'AND' && op !== 'OR') return `${at}.op must be AND or OR`;
  if (negate !== undefined && typeof negate !== 'boolean') return `${at}.negate must be true or false`;
  if (!Array.isArray(children) || children.length > MAX_CHILDREN)
    return `${at}.children must be a list of at most ${MAX_CHILDREN}`;
  for (const [index, child] of children.entries()) {
    const problem = nodeProblem(child, `${at}.children[${index}]`, depth + 1);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const conditionSchema: JsonSchema = {
  type: 'object',
  required: ['kind', 'source', 'operator'],
  properties: {
    kind: { const: 'condition' },
    id: idType.schema(),
    source: { type: 'string', enum: SOURCES },
    path: { anyOf: [pathType.schema(), { type: 'null' }] },
    operator: { type: 'string', enum: [...CONDITION_OPERATORS] },
    value: { description: 'Needed by every operator that compares' },
  },
};

const groupSchema: JsonSchema = {
  type: 'object',
  required: ['kind', 'op', 'children'],
  properties: {
    kind: { const: 'group' },
    id: idType.schema(),
    op: { type: 'string', enum: ['AND', 'OR'] },
    negate: { type: 'boolean', default: false },
    children: {
      type: 'array',
      maxItems: MAX_CHILDREN,
      items: { oneOf: [{ $named: 'Condition', schema: conditionSchema }, { $named: 'ConditionGroup' }] },
    },
  },
};

/** A ConditionGroup of docs/api/README.md; patterns are checked by the service, because compiling them costs time. */
export const conditionGroupType: FieldType = {
  schema: () => ({ $named: 'ConditionGroup', schema: groupSchema }),
  problem: (value) => {
    if (!isNode(value) || value.kind !== 'group') return 'must be a group of conditions';
    const problem = nodeProblem(value, 'group', 1);
    return problem === undefined ? jsonProblem(value, OBJ_BOUNDS) : `is not valid: ${problem}`;
  },
};

/** The conditions of a group and its groups with their ids; one without an id is named by its place, such as `0.2`. */
export function conditionsOf(group: ConditionGroup, at = ''): { id: string; condition: Condition }[] {
  return group.children.flatMap((child, index) => {
    const place = `${at}${index}`;
    if (child.kind === 'group') return conditionsOf(child, `${place}.`);
    return [{ id: child.id ?? place, condition: child }];
  });
}
