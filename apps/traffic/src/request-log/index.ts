export { RequestLog } from './request-log.js';
export { RequestLogModule } from './request-log.module.js';
