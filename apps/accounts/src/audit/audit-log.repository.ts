import { Injectable } from '@nestjs/common';
import { type AuditEntry, type JsonText, type Page, type CollectedEntry } from '@signalbox/contracts';
import { Database, type ListOptions, type Owner, type Tx } from '@signalbox/database';
import { APPEND_ENTRIES, view } from './audit-log.sql.js';

/** Entries are never changed. SQL: a batch of entries is one INSERT from JSON. */
@Injectable()
export class AuditLog {
  constructor(private readonly db: Database) {}

  list(companyId: number, options: ListOptions): Promise<JsonText<Page<AuditEntry>>> {
    return this.db.list(view, companyId, options);
  }

  /** Also for a call that is refused. */
  async noteMcpCall(owner: Owner, address: string, call: Record<string, unknown>): Promise<void> {
    await this.db.withCompany(owner, (tx) => {
      tx.audit({ action: 'mcp_call', resource_type: 'mcp_server', resource_id: address, after: call });
      return Promise.resolve();
    });
  }

  /** Keeps the order; ignores entries that exist. */
  async append(tx: Tx, entries: readonly (CollectedEntry & { message_id: string })[]): Promise<void> {
    await tx.query(APPEND_ENTRIES, [tx.companyId, JSON.stringify(entries)]);
  }
}
