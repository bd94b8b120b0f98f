export { type CallTarget, CallTargets } from './call-targets.js';
export { CallTargetsModule } from './call-targets.module.js';
