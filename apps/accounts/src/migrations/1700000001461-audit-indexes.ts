import { largeTableIndexes } from '@signalbox/database';

const on = (columns: string): string => `accounts.audit_log (company_id, ${columns})`;

/** The filters of the audit log, in the order of its lists, and the age of entries. */
export const AuditIndexes1700000001461 = largeTableIndexes('AuditIndexes1700000001461', 'accounts', [
  { name: 'audit_log_resource', on: on('resource_type, resource_id, id') },
  { name: 'audit_log_actor', on: on('actor_key_id, id') },
  { name: 'audit_log_time', on: on('date_created') },
]);
