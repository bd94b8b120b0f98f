import { Injectable } from '@nestjs/common';
import { type AuditEntry, type JsonText, type Page, type CollectedEntry } from '@signalbox/contracts';
import { Database, type ListOptions, type Owner, type Tx, type View } from '@signalbox/database';

const view: View = {
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
  // An entry is never changed.
  sort: { date_updated: 't.date_created' },
};

/**
 * The audit log: appended to, never changed.
 *
 * SQL: a batch of entries is one INSERT from JSON.
 */
@Injectable()
export class AuditLog {
  constructor(private readonly db: Database) {}

  list(companyId: number, options: ListOptions): Promise<JsonText<Page<AuditEntry>>> {
    return this.db.list(view, companyId, options);
  }

  /** Notes the call of a tool, whether it is carried out or refused. */
  async noteMcpCall(owner: Owner, address: string, call: Record<string, unknown>): Promise<void> {
    await this.db.withCompany(owner, (tx) => {
      tx.audit({ action: 'mcp_call', resource_type: 'mcp_server', resource_id: address, after: call });
      return Promise.resolve();
    });
  }

  /** Appends entries in order; existing ones are not changed. */
  async append(tx: Tx, entries: readonly (CollectedEntry & { message_id: string })[]): Promise<void> {
    await tx.query(
      `INSERT INTO accounts.audit_log (company_id, message_id, actor_key_id, action, resource_type, resource_id, before, after, reason, request_id, date_created)
       SELECT $1, e.message_id, e.actor_key_id, e.action, e.resource_type, e.resource_id, NULLIF(e.before, 'null'), NULLIF(e.after, 'null'),
         e.reason, e.request_id, e.date_created
       FROM ROWS FROM (jsonb_to_recordset($2::jsonb) AS (message_id text, actor_key_id int, action text, resource_type text,
         resource_id text, before jsonb, after jsonb, reason text, request_id text, date_created bigint)) WITH ORDINALITY
         e(message_id, actor_key_id, action, resource_type, resource_id, before, after, reason, request_id, date_created, n)
       ORDER BY n ON CONFLICT DO NOTHING`,
      [tx.companyId, JSON.stringify(entries)],
    );
  }
}
