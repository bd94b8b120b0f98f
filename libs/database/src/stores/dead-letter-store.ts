import { type DeadLetterStore, OUTBOX_LETTERS, type StoredLetter, type StoredLetterText } from '@signalbox/platform';
import type { Database } from '../database.js';

/** The table of dead letters behind the operator's commands. */
export class PgDeadLetters implements DeadLetterStore {
  private readonly table = `"${this.db.schema}".dead_letters`;

  constructor(private readonly db: Database) {}

  list({ consumer, after, limit }: { consumer?: string; after: number; limit: number }): Promise<StoredLetter[]> {
    return this.db.asWorker<StoredLetter>(
      `SELECT id, company_id, consumer, message_id, subject, cause, octet_length(payload) AS bytes, date_created
       FROM ${this.table} WHERE id > $1 AND ($2::text IS NULL OR consumer = $2) ORDER BY id LIMIT $3`,
      [after, consumer ?? null, limit],
    );
  }

  async read(id: number): Promise<StoredLetterText | null> {
    const [letter] = await this.db.asWorker<StoredLetterText>(
      `SELECT id, company_id AS "companyId", consumer, message_id AS "messageId", subject, payload
       FROM ${this.table} WHERE id = $1`,
      [id],
    );
    return letter ?? null;
  }

  async requeue(id: number): Promise<boolean> {
    const rows = await this.db.asWorker(
      `WITH gone AS (DELETE FROM ${this.table} WHERE id = $1 AND consumer = '${OUTBOX_LETTERS}'
         RETURNING company_id, message_id, subject, payload)
       INSERT INTO "${this.db.schema}".outbox (message_id, company_id, subject, payload)
       SELECT message_id::uuid, company_id, subject, payload FROM gone RETURNING 1`,
      [id],
    );
    return rows.length > 0;
  }

  async drop(ids: readonly number[]): Promise<number[]> {
    const rows = await this.db.asWorker<{ id: number }>(
      `DELETE FROM ${this.table} WHERE id = ANY($1::bigint[]) RETURNING id`,
      [ids],
    );
    return rows.map(({ id }) => id).sort((a, b) => a - b);
  }
}
