export { LaneWorker } from './lane-worker.js';
export { LanesModule } from './lanes.module.js';
