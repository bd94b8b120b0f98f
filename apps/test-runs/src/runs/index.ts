export { CancelWorker } from './cancel-worker.js';
export { Conductor } from './conductor.js';
export { requiredSecrets } from './required-secrets.js';
export { type RunStart, RunStarts } from './run-starts.repository.js';
export { RunsModule } from './runs.module.js';
