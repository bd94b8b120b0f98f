import { Injectable } from '@nestjs/common';
import { type AuditEntry, type JsonText, type Page, type CollectedEntry } from '@signalbox/contracts';
import { Database, type ListOptions, type Tx } from '@signalbox/database';
import { APPEND_ENTRIES, view } from './audit-log.sql.js';

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

  /** Appends entries in order; existing ones are not changed. */
  async append(tx: Tx, entries: readonly (CollectedEntry & { message_id: string })[]): Promise<void> {
    await tx.query(APPEND_ENTRIES, [tx.companyId, JSON.stringify(entries)]);
  }
}
