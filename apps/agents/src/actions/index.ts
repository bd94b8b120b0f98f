export { ActionWorkflows } from './action-workflows.js';
export { ActionRow } from './action.entity.js';
export { FORMAT, formatOf, newAction } from './action.js';
export { ActionsModule } from './actions.module.js';
export { ACTION_TAKEN, Actions } from './actions.repository.js';
export type { ActionCall } from './execution/action-call.js';
export { ActionRunner } from './execution/action-runner.js';
export {
  defaultTool,
  describeTools,
  mcpActionsOf,
  type NamedAction,
  nameTools,
  parametersOf,
  readArguments,
  sanitised,
  type TaskAction,
  type Tool,
  uniqueName,
  waitsForCallback,
} from './tools.js';
