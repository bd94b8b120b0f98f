export { MonitorRunRow } from './run.entity.js';
export { RunsModule } from './runs.module.js';
