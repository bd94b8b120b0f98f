export { type Reset, ResetItems } from './reset-items.repository.js';
export { SOURCE_MD5 } from './reset-items.sql.js';
export { RunAttemptRow, RunItemRow, RunScoreRow } from './run-item.entity.js';
export { RunItemsModule } from './run-items.module.js';
export { RunItems } from './run-items.repository.js';
export { itemView } from './run-items.sql.js';
