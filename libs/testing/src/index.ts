export * from './conformance/catalog.js';
export * from './platform/database.js';
export * from './platform/platform.js';
export * from './platform/servers.js';
export * from './platform/service-environment.js';
export * from './platform/service-process.js';
export * from './world/index.js';
