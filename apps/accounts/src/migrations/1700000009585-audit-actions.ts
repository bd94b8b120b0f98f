import { largeTableIndexes } from '@signalbox/database';

/** The filter of the audit log by action, in the order of its lists. */
export const AuditActions1700000009585 = largeTableIndexes('AuditActions1700000009585', 'accounts', [
  { name: 'audit_log_action', on: 'accounts.audit_log (company_id, action, id)' },
]);
