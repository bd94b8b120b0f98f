export { DatasetRequestRow } from './dataset-request.entity.js';
export { bodyBytes, type NewRow, rowOfFile, type RowTexts, trainingLine } from './dataset-request.js';
export { DatasetRequests } from './dataset-requests.repository.js';
export { RequestsModule } from './requests.module.js';
