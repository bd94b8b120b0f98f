export { problemsText } from './adapter-problems.js';
export { adapt, type CallDefaults, type CanonicalInput } from './adapter.js';
export { ConsumerExecutors } from './consumer-executors.js';
export { ConsumersModule } from './consumers.module.js';
export { CANCELLED, type ItemResult, INTERRUPTED, SECRETS_UNAVAILABLE } from './item-result.js';
export { type AdaptationTarget, CheckedInputs, InputSchemas, type SourceItem } from './input-schemas.js';
export { storableResult } from './storable-result.js';
