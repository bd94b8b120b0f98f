export { EvaluationResults } from './evaluation-results.repository.js';
export { RESULT_FIELDS } from './evaluation-results.sql.js';
export {
  correctedAnswer,
  correctionOf,
  type EvaluatedAnswer,
  evaluationStateOf,
  judgesRequest,
  type RecordedEvaluation,
  type SentinelResult,
  type SentinelVerdict,
} from './evaluation.js';
export { inGroups } from './in-groups.js';
export { failureClassOf, JudgeCalls } from './judge-calls.js';
export type { JudgedCall } from './judged-request.js';
export { JudgingModule } from './judging.module.js';
export { clearResultTexts } from './result-texts.js';
export { type Judged, SentinelJudge } from './sentinel-judge.js';
export { verdictMessages } from './sentinel-prompt.js';
export {
  type AppliedSentinel,
  newSentinel,
  patternsOf,
  settingsOf,
  switchSentinel,
  updateSentinel,
} from './sentinel.js';
export { Sentinels } from './sentinels.repository.js';
