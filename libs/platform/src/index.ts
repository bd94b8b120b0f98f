export * from './config.js';
export * from './continuity.js';
export * from './log.js';
export * from './metrics.js';
export * from './ports.js';
export * from './service.js';
export * from './trace.js';
