export { EvaluatedRunsModule } from './evaluated-runs.module.js';
