export { BulkImports } from './bulk-import.js';
export { ImportsModule } from './imports.module.js';
