import { type Caller, invalidField, type Upload, type UploadPart } from '@signalbox/contracts';
import type { Database } from '../database.js';
import type { Tx } from '../tx.js';
import { SLICE, UPLOAD_PARTS } from './uploads.sql.js';

/** SQL: parts are addressed by their number and swept by the worker role. */
export class Uploads {
  private readonly sql = UPLOAD_PARTS.of(this.db.schema);

  constructor(private readonly db: Database) {}

  /** Repeating a part has no effect. */
  store(caller: Caller, { upload_id, part, text }: UploadPart): Promise<{ part: number }> {
    return this.db.withCompany(caller, async (tx) => {
      await tx.query(this.sql.store, [tx.companyId, upload_id, part, text]);
      return { part };
    });
  }

  /** One part at a time is in memory; 400 when one is missing. */
  async *texts(tx: Tx, { id, parts }: Upload): AsyncGenerator<string> {
    for (let part = 0; part < parts; part++) {
      const [row] = await tx.query<{ content: string }>(this.sql.read, [tx.companyId, id, part]);
      if (!row) throw invalidField('file', 'is not complete');
      yield row.content;
    }
  }

  async remove(tx: Tx, { id }: Upload): Promise<void> {
    await tx.query(this.sql.remove, [tx.companyId, id]);
  }

  async deleteAbandoned(): Promise<void> {
    while ((await this.db.asWorker(this.sql.deleteAbandoned)).length === SLICE);
  }
}
