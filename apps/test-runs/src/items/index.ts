export { baselineHash } from './baseline-hash.js';
export { ItemRow } from './item.entity.js';
export { bodyBytes } from './item.js';
export { itemView, listedItemView } from './item-views.sql.js';
export { ItemsModule } from './items.module.js';
export { type FileSource, type NewItem, TestSetItems } from './items.repository.js';
export { ResponseSubRow } from './response-sub.entity.js';
