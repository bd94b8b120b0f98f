export * from './start-tracing.js';
export * from './traceparent.js';
export * from './tracing.js';
