export { RequestRunsModule } from './request-runs.module.js';
