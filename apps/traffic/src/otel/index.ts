export { OtelModule } from './otel.module.js';
