export {
  areEqual,
  asText,
  type Condition,
  CONDITION_OPERATORS,
  type ConditionInput,
  type ConditionOperator,
  holdsValue,
  orderOf,
  valueAt,
} from './condition.js';
export { type ConditionGroup, evaluateGroup, groupHolds, groupProblem } from './condition-group.js';
export { EvaluationTooCostly } from './threads/evaluation.js';
export { type EvaluationLimits, EvaluationThreads } from './threads/evaluation-threads.js';
export { boundsProblem } from './schema-bounds.js';
export { SchemaChecker } from './schema-checker.js';
export type { TextOperator, TextTest } from './text-test.js';
export { TextTests } from './text-tests.js';
