import { type Consumed, Consumer, senderOfAudit, Serves } from '@signalbox/bus';
import {
  auditLog,
  type CallTo,
  type Handlers,
  mayAudit,
  accountConsumers,
  type CollectedEntry,
} from '@signalbox/contracts';
import type { Filter, Tx } from '@signalbox/database';
import { AuditLog } from './audit-log.repository.js';

type C = typeof auditLog;

/** Collects the audit entries of every service and lists them. */
@Serves(auditLog)
export class AuditLogHandlers implements Handlers<C> {
  constructor(private readonly log: AuditLog) {}

  listAuditEntries({ input, caller }: CallTo<C, 'listAuditEntries'>) {
    const filters: Filter[] = [];
    if (input.action !== undefined) filters.push({ sql: 't.action = ANY(?::text[])', value: input.action });
    if (input.resource_type !== undefined)
      filters.push({ sql: 't.resource_type = ANY(?::text[])', value: input.resource_type });
    if (input.resource_id !== undefined) filters.push({ sql: 't.resource_id = ?', value: input.resource_id });
    if (input.actor_key_id !== undefined) filters.push({ sql: 't.actor_key_id = ?', value: input.actor_key_id });
    if (input.start_date !== undefined) filters.push({ sql: 't.date_created >= ?', value: input.start_date });
    if (input.end_date !== undefined) filters.push({ sql: 't.date_created < ?', value: input.end_date });
    return this.log.list(caller.companyId, { ...input, filters });
  }

  async noteMcpCall({ input: { address, ...call }, caller }: CallTo<C, 'noteMcpCall'>) {
    await this.log.noteMcpCall(caller, address, call);
    return { noted: true };
  }

  @Consumer(accountConsumers.auditEntries, { batch: true })
  async collect(entries: Consumed<CollectedEntry>[], tx: Tx): Promise<void> {
    for (const { about, payload } of entries) {
      const sender = senderOfAudit(about.subject);
      if (sender !== undefined && !mayAudit(sender, payload.resource_type))
        throw new Error(`${sender} may not write audit entries about ${payload.resource_type}`);
    }
    await this.log.append(
      tx,
      entries.map(({ about, payload }) => ({ ...payload, message_id: about.messageId })),
    );
  }
}
