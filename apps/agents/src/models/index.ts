export { AnswerStream } from './answer-stream.js';
export { type CallAttribution, OF_TEST, ofTask } from './call-attribution.js';
export { causeOf } from './call-cause.js';
export { type DeliveredText, delta, undelivered } from './delivered-text.js';
export { KnownModels } from './known-models.js';
export { ModelCalls } from './model-calls.js';
export { ModelsModule } from './models.module.js';
export { modelsOfAction, modelsOfAgent, modelsOfTask, type NamedModel } from './named-models.js';
