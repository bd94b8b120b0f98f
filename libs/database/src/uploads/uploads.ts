import { type Caller, invalidField, type Upload, type UploadPart } from '@signalbox/contracts';
import type { Database } from '../database.js';
import type { Tx } from '../tx.js';
import { STATEMENT_MS } from '../schema/schema.js';

const KEPT_MS = 3_600_000;
/** Parts of at most some megabytes that one statement deletes. */
const SLICE = 200;

/**
 * The parts of files that are being uploaded to a service.
 *
 * SQL: parts are written, read and deleted by their number, and swept by the worker role.
 */
export class Uploads {
  private readonly table = `"${this.db.schema}".upload_parts`;

  constructor(private readonly db: Database) {}

  /** Stores a part; a repeat leaves the first one. */
  store(caller: Caller, { upload_id, part, text }: UploadPart): Promise<{ part: number }> {
    return this.db.withCompany(caller, async (tx) => {
      await tx.query(
        `INSERT INTO ${this.table} (company_id, upload_id, part, content) VALUES ($1, $2, $3, $4)
         ON CONFLICT DO NOTHING`,
        [tx.companyId, upload_id, part, text],
      );
      return { part };
    });
  }

  /** The text of a file part by part, of which only one is in memory; 400 when a part is missing. */
  async *texts(tx: Tx, { id, parts }: Upload): AsyncGenerator<string> {
    for (let part = 0; part < parts; part++) {
      const [row] = await tx.query<{ content: string }>(
        `SELECT content FROM ${this.table} WHERE company_id = $1 AND upload_id = $2 AND part = $3`,
        [tx.companyId, id, part],
      );
      if (!row) throw invalidField('file', 'is not complete');
      yield row.content;
    }
  }

  async remove(tx: Tx, { id }: Upload): Promise<void> {
    await tx.query(`DELETE FROM ${this.table} WHERE company_id = $1 AND upload_id = $2`, [tx.companyId, id]);
  }

  /** Deletes the parts that no call has used within an hour. */
  async deleteAbandoned(): Promise<void> {
    const text = `DELETE FROM ${this.table} WHERE (company_id, upload_id, part) IN (
        SELECT company_id, upload_id, part FROM ${this.table} WHERE date_created < ${STATEMENT_MS} - ${KEPT_MS} LIMIT ${SLICE})
      RETURNING 1`;
    while ((await this.db.asWorker(text)).length === SLICE);
  }
}
