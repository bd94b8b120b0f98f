import { type DeadLetterStore, type StoredLetter, type StoredLetterText } from '@signalbox/platform';
import type { Database } from '../database.js';
import { DEAD_LETTERS } from './dead-letters.sql.js';

export class PgDeadLetters implements DeadLetterStore {
  private readonly sql = DEAD_LETTERS.of(this.db.schema);

  constructor(private readonly db: Database) {}

  list({ consumer, after, limit }: { consumer?: string; after: number; limit: number }): Promise<StoredLetter[]> {
    return this.db.asWorker<StoredLetter>(this.sql.list, [after, consumer ?? null, limit]);
  }

  async read(id: number): Promise<StoredLetterText | null> {
    const [letter] = await this.db.asWorker<StoredLetterText>(this.sql.read, [id]);
    return letter ?? null;
  }

  async requeue(id: number): Promise<boolean> {
    const rows = await this.db.asWorker(this.sql.requeue, [id]);
    return rows.length > 0;
  }

  async drop(ids: readonly number[]): Promise<number[]> {
    const rows = await this.db.asWorker<{ id: number }>(this.sql.drop, [ids]);
    return rows.map(({ id }) => id).sort((a, b) => a - b);
  }
}
