import { randomUUID } from 'node:crypto';
import type { InboxMessage, InboxStore } from '@signalbox/platform';
import type { Database } from '../database.js';
import type { Tx } from '../tx.js';
import { INBOX } from './inbox.sql.js';

export class PgInbox implements InboxStore<Tx> {
  private readonly sql = INBOX.of(this.db.schema);

  constructor(private readonly db: Database) {}

  async once(
    messages: InboxMessage[],
    effect: (tx: Tx, fresh: InboxMessage[]) => Promise<void>,
    { deduplicate = true }: { deduplicate?: boolean } = {},
  ): Promise<number> {
    const [first] = messages;
    if (!first) return 0;
    const { companyId, consumer } = first;
    return this.db.withCompany({ companyId }, async (tx) => {
      if (!deduplicate) {
        await effect(tx, messages);
        return messages.length;
      }
      const rows = await tx.query<{ message_id: string }>(this.sql.record, [
        companyId,
        consumer,
        messages.map(({ messageId }) => messageId),
      ]);
      const ids = new Set(rows.map(({ message_id }) => message_id));
      // A message that is in the batch twice is applied once.
      const fresh = messages.filter(({ messageId }) => ids.delete(messageId));
      if (fresh.length > 0) await effect(tx, fresh);
      return fresh.length;
    });
  }

  async beginAlone(message: InboxMessage, limit: number): Promise<string | null> {
    const { companyId } = message;
    const attempt = randomUUID();
    const rows = await this.db.withCompany({ companyId }, (tx) =>
      tx.query(this.sql.begin, [companyId, attemptsOf(message), attempt, limit]),
    );
    return rows.length > 0 ? attempt : null;
  }

  async endAlone(message: InboxMessage, attempt: string): Promise<void> {
    await this.db.asWorker(this.sql.end, [message.companyId, attemptsOf(message), attempt]);
  }

  async deadLetter(
    { consumer, messageId, companyId, subject }: InboxMessage,
    payload: string,
    cause: string,
  ): Promise<void> {
    const safe = (text: string): string => text.replaceAll('\0', '').toWellFormed();
    await this.db.asWorker(this.sql.deadLetter, [
      Number.isInteger(companyId) ? companyId : 0,
      consumer,
      messageId,
      subject,
      safe(payload),
      safe(cause),
    ]);
  }
}

/** Attempts are rows of the inbox as well: of a consumer of their own, until they end or age. */
const attemptsOf = ({ consumer, messageId }: InboxMessage): string => `alone:${consumer}:${messageId}`;
