import type { evaluationResults } from './evaluation-results.js';
import type { evaluations } from './evaluations.js';
import type { sentinels } from './sentinels.js';

export * from './evaluation-results.js';
export * from './evaluations.js';
export * from './sentinels.js';
export * from './sentinel-directives.js';

/** One of the contracts of this folder, with the types of its endpoints. */
export type EvaluationContract = typeof sentinels | typeof evaluationResults | typeof evaluations;
