export { areEqual, asText, type ConditionInput, holdsValue, orderOf, valueAt } from './condition.js';
export * from './condition-group.js';
export { type EvaluationLimits, EvaluationThreads } from './threads/evaluation-threads.js';
export { framedData, JUDGED_TEXTS } from './judge-frame-cases.js';
export { framedJson, judgeMessages, type JudgeTask } from './judge-messages.js';
export { rollOf } from './roll.js';
export { SchemaChecker, TOO_COSTLY } from './schema-checker.js';
export { containsText, type TextOperator, type TextTest } from './text-test.js';
export { TextTests } from './text-tests.js';
