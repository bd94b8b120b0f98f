export { ExecutionModule } from './execution.module.js';
export { ItemWorker } from './item-worker.js';
