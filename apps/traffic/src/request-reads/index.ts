export { idRangeOf, windowsOf } from './id-range.repository.js';
export type { IdRange } from './id-windows.js';
export { correct, requireCorrected } from './recorded-request.js';
export { RequestReader } from './request-reader.repository.js';
export { RequestReadsModule } from './request-reads.module.js';
