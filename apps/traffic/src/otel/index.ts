export { TraceRetention } from './trace-retention.repository.js';
export { OtelModule } from './otel.module.js';
