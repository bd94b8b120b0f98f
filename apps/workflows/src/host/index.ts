export { type HostContext, ScriptEnded } from './host-call.js';
export { HostFunctions } from './host-functions.js';
export { HostModule } from './host.module.js';
export { RecordedCalls } from './recorded-calls.js';
export { RunHost } from './run-host.js';
export type { LogSize } from './script-log.js';
