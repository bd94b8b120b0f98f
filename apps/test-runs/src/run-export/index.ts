export { RunExportModule } from './run-export.module.js';
