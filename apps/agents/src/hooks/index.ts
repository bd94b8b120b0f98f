export { HookEffect, PublicUrl } from './hook-effect.js';
export { HooksModule } from './hooks.module.js';
export { TaskHookRow } from './task-hook.entity.js';
