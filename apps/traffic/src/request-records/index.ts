export { conditionsOf, SHORT_MS } from './request-filters.view.js';
export {
  type AnsweredBy,
  CONTENT_MISSING,
  emptyRecord,
  type FinishedCall,
  recordOf,
  type RequestRecord,
} from './request-record.js';
export { RequestRecordsModule } from './request-records.module.js';
export { storableText } from './json-text.js';
export {
  ANSWERED_FIRST,
  correctionIn,
  ERASED_CORRECTION,
  inChat,
  REQUEST,
  REQUEST_RECORD,
  REQUEST_WITH_BODY,
  requestIndexes,
} from './requests.sql.js';
export { scrubbedCall } from './scrubbed-call.js';
export { excerptOf, hasMark, isLarge, isMarked, type Part, PARTS } from './writing/offloaded-text.js';
export { RequestWriter } from './writing/request-writer.repository.js';
export { type JudgedRequest, ResultWriter } from './writing/result-writer.repository.js';
export { scheduleOffload } from './writing/schedule-offload.js';
