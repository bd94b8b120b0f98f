export { CancelWorker } from './cancel-worker.js';
export { Conductor } from './conductor.js';
export { SOURCE_MD5 } from './preparation.sql.js';
export { requiredSecrets } from './required-secrets.js';
export { type RunStart, RunStarts } from './run-starts.repository.js';
export { RunsModule } from './runs.module.js';
