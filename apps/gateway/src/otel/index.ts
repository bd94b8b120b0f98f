export { OTEL_PATHS } from './otel.controller.js';
export { OtelModule } from './otel.module.js';
