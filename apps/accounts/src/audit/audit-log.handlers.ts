import { type Consumed, Consumer, senderOfAudit, Serves } from '@signalbox/bus';
import { auditLog, type CallTo, type Handlers, accountConsumers, type CollectedEntry } from '@signalbox/contracts';
import { filtersOf, type Tx } from '@signalbox/database';
import { mayAudit } from './audit-permissions.js';
import { AuditLog } from './audit-log.repository.js';
import { view } from './audit-log.sql.js';

type C = typeof auditLog;

@Serves(auditLog)
export class AuditLogHandlers implements Handlers<C> {
  constructor(private readonly log: AuditLog) {}

  listAuditEntries({ input, caller }: CallTo<C, 'listAuditEntries'>) {
    return this.log.list(caller.companyId, { ...input, filters: filtersOf(view, input) });
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
