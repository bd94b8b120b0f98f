import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import type { RowTexts } from '../requests/index.js';

/** The bodies of one page, beyond which only its first row is longer. */
const PAGE_BYTES = 2_097_152;
const PAGE_ROWS = 500;

type ExportedRow = RowTexts & { id: number };

/**
 * Reads the rows of datasets in pages.
 *
 * SQL: a page ends where its bodies exceed a number of bytes.
 */
@Injectable()
export class FileExports {
  constructor(private readonly db: Database) {}

  /** The rows of a dataset in the order of their addition; each is read once, whatever is added or deleted meanwhile. */
  async *rows(companyId: number, datasetId: number): AsyncGenerator<ExportedRow[]> {
    for (let after = 0; ;) {
      const page = await this.page(companyId, datasetId, after);
      const last = page.at(-1);
      if (!last) return;
      yield page;
      after = last.id;
    }
  }

  private page(companyId: number, datasetId: number, after: number): Promise<ExportedRow[]> {
    return this.db.select<ExportedRow>(
      companyId,
      `SELECT x.* FROM s, LATERAL (
         SELECT t.id, t.messages::text, t.response::text, t.tools::text
         FROM (SELECT i.*, sum(i.body_bytes) OVER (ORDER BY i.id) - i.body_bytes AS before FROM (
             SELECT * FROM training.dataset_requests WHERE company_id = s.company AND dataset_id = $2
               AND id > $3 AND deleted_at IS NULL ORDER BY id LIMIT ${PAGE_ROWS}) i) t
         WHERE t.before < ${PAGE_BYTES} ORDER BY t.id OFFSET 0) x`,
      [datasetId, after],
    );
  }
}
