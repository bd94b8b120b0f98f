export { Callbacks, PublicUrl } from './callbacks.js';
export { HooksModule } from './hooks.module.js';
export { TaskHookRow } from './task-hook.entity.js';
