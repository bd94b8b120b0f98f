export { AuditEntryRow } from './audit-entry.entity.js';
export { AuditRetentionDays } from './audit-retention.worker.js';
export { AuditModule } from './audit.module.js';
