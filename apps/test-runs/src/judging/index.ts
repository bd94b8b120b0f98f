export { agreementOf } from './agreement.js';
export { criteriaKey, definitionsSha256, judgedSha256, judgementId } from './definitions.js';
export { type Criterion, type JudgeContext, Judges } from './judges.js';
export { JudgingModule } from './judging.module.js';
export { diffOutputs } from './output-diff.js';
export { contentOf, jsonOf, type Output } from './output.js';
export { type ItemScoreState, scoredItem, type ScoredItem, type ScoredRepeat } from './scored-item.js';
export { type Expectation, expectationOf, verdictOf } from './verdict.js';
