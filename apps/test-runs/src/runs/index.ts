export { CancelWorker } from './cancel-worker.js';
export { Conductor } from './conductor.js';
export { Executions } from './executions.repository.js';
export { Preparations, type PreparedConsumer, SOURCE_MD5, targetOf } from './preparation.repository.js';
export { RunsModule } from './runs.module.js';
