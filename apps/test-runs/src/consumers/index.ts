export { problemsText } from './adapter-problems.js';
export { adapt, type CallDefaults, type CanonicalInput } from './adapter.js';
export { Consumers } from './consumers.js';
export { ConsumersModule } from './consumers.module.js';
export { CANCELLED, type Execution, INTERRUPTED, SECRETS_UNAVAILABLE } from './execution.js';
export { type AdaptationTarget, CheckedInputs, InputSchemas, type SourceItem } from './input-schemas.js';
