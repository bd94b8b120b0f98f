export { HostReplies } from './host-replies.js';
export { ScriptPools } from './script-pools.js';
export { ScriptHandlers } from './scripts.handlers.js';
