export {
  startHttpTarget,
  type HttpTarget,
  type TargetCall,
  type TargetReply,
  type TargetScript,
} from './http-target.js';
export {
  startModelProvider,
  type ModelProvider,
  type ModelProviderOptions,
  type ModelScript,
} from './model-provider.js';
export { type ModelCall } from './model-calls.js';
export type {
  AnswerReply,
  ErrorReply,
  ModelReply,
  ModelRequest,
  RawReply,
  ScriptedToolCall,
  SilentReply,
} from './model-replies.js';
export { seededRandom } from './seeded-random.js';
export { startOtlpCollector, type CollectedSpan, type OtlpCollector } from './otlp-collector.js';
export { startObjectServer, type ObjectServer, type StoredObject } from './object-server.js';
export { FinetuningJobs, type FinetuningOptions } from './finetuning-jobs.js';
export { type FinetuningCall } from './finetuning-protocol.js';
