export { CalledAgents } from './called-agents.repository.js';
export { InvocationsModule } from './invocations.module.js';
export type { NewTask } from './new-task.js';
export { TaskAcceptances } from './task-acceptances.repository.js';
export { InvokeLimit } from './task-settings.js';
