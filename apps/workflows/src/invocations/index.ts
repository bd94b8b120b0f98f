export { InvocationsModule } from './invocations.module.js';
export { ExecuteLimit } from './run-settings.js';
