export type { ItemSteps } from './item-steps.js';
export { checkSteps } from './step-checks.js';
export { StepReader, StepsUnavailable, type StepSource } from './step-reader.js';
export { StepsModule } from './steps.module.js';
