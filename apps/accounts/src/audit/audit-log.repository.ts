import { Injectable } from '@nestjs/common';
import type { AuditEntry, JsonText, Page } from '@signalbox/contracts';
import { Database, type ListOptions, type Tx, type View } from '@signalbox/database';

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

/** An entry as services put it into their outbox. */
export type CollectedEntry = Omit<AuditEntry, 'id'>;

/** The audit log: appended to, never changed. */
@Injectable()
export class AuditLog {
  constructor(private readonly db: Database) {}

  list(companyId: number, options: ListOptions): Promise<JsonText<Page<AuditEntry>>> {
    return this.db.list(view, companyId, options);
  }

  async append(tx: Tx, messageId: string, entry: CollectedEntry): Promise<void> {
    await tx.query(
      `INSERT INTO accounts.audit_log (company_id, message_id, actor_key_id, action, resource_type, resource_id, before, after, reason, request_id, date_created)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING`,
      [
        tx.companyId,
        messageId,
        entry.actor_key_id,
        entry.action,
        entry.resource_type,
        entry.resource_id,
        entry.before === null ? null : JSON.stringify(entry.before),
        entry.after === null ? null : JSON.stringify(entry.after),
        entry.reason,
        entry.request_id,
        entry.date_created,
      ],
    );
  }
}
