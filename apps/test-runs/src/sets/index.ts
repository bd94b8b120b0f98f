export { RECORD_COLUMNS } from './item-record.js';
export { TestSetDeletion } from './set-deletion.js';
export { SetsModule } from './sets.module.js';
export { TestSets } from './sets.repository.js';
export { GROUP_OF_META } from './sets.sql.js';
export { TestSetRow } from './test-set.entity.js';
export { MAX_ITEMS, MAX_ITEMS_OF_FILES, requireCapacity, updateSet } from './test-set.js';
