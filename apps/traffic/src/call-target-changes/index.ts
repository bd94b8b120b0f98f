export { CallTargetChanges } from './call-target-changes.js';
export { CallTargetChangesModule } from './call-target-changes.module.js';
