import { txStatement, type View } from '@signalbox/database';

export const view: View = {
  resource: 'audit entry',
  table: 'accounts.audit_log',
  columns: [
    'id',
    'actor_key_id',
    'action',
    'resource_type',
    'resource_id',
    'before',
    'after',
    'reason',
    'request_id',
    'date_created',
  ],
  alive: 'true',
  search: ['t.resource_type', 't.resource_id'],
  filters: {
    action: 't.action = ANY(?::text[])',
    resource_type: 't.resource_type = ANY(?::text[])',
    resource_id: 't.resource_id = ?',
    actor_key_id: 't.actor_key_id = ?',
    start_date: 't.date_created >= ?',
    end_date: 't.date_created < ?',
  },
  // Entries are never changed.
  sort: { date_updated: 't.date_created' },
};

export const APPEND_ENTRIES = txStatement(
  { index: null },
  `INSERT INTO accounts.audit_log (company_id, message_id, actor_key_id, action, resource_type, resource_id, before, after, reason, request_id, date_created)
   SELECT $1, e.message_id, e.actor_key_id, e.action, e.resource_type, e.resource_id, NULLIF(e.before, 'null'), NULLIF(e.after, 'null'),
     e.reason, e.request_id, e.date_created
   FROM ROWS FROM (jsonb_to_recordset($2::jsonb) AS (message_id text, actor_key_id int, action text, resource_type text,
     resource_id text, before jsonb, after jsonb, reason text, request_id text, date_created bigint)) WITH ORDINALITY
     e(message_id, actor_key_id, action, resource_type, resource_id, before, after, reason, request_id, date_created, n)
   ORDER BY n ON CONFLICT DO NOTHING`,
);
