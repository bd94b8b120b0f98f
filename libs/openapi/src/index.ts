export { ADMIN_COMMANDS, type AdminCommand, CLI_COMMANDS } from './clients/cli-commands.js';
export * from './clients/client-operations.js';
export { errorStatuses } from './error-statuses.js';
export { openApi } from './openapi.js';
export { SchemaComponents } from './schema-components.js';
