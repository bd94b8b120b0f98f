export * from './platform/platform.js';
export * from './platform/servers.js';
export * from './platform/service-process.js';
export * from './world/index.js';
