export { EvaluationsModule } from './evaluations.module.js';
export { RequestEvaluation } from './request-evaluation.js';
