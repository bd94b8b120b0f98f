export { correct, requireCorrected } from './recorded-request.js';
export { RequestReader } from './request-reader.repository.js';
export { RequestReadsModule } from './request-reads.module.js';
