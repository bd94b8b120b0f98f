export * from './config.js';
export * from './graceful-stop.js';
export * from './keep-trying.js';
export * from './log.js';
export * from './metrics.js';
export * from './ports.js';
export * from './service.js';
export * from './trace.js';
