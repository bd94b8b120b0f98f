export { HEALTH_PATHS } from './health.controller.js';
export { HealthModule } from './health.module.js';
