export { AnswerStream, type DeliveredText } from './answer-stream.js';
export { causeOf } from './call-cause.js';
export { KnownModels } from './known-models.js';
export { type CallAttribution, ModelCalls, TEST_ATTRIBUTION, taskAttribution } from './model-calls.js';
export { ModelsModule } from './models.module.js';
export { modelsOfAction, modelsOfAgent, modelsOfTask, type NamedModel, unusableConfigs } from './stored-configs.js';
