import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import type { RowTexts } from '../requests/index.js';
import { PAGE_OF_ROWS } from './file-export.sql.js';

type ExportedRow = RowTexts & { id: number };

/** SQL: a page ends where its bodies exceed a number of bytes. */
@Injectable()
export class FileExports {
  constructor(private readonly db: Database) {}

  /** In the order of addition; rows that are added or deleted meanwhile cause neither repeats nor gaps. */
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
    return this.db.select<ExportedRow>(companyId, PAGE_OF_ROWS, [datasetId, after]);
  }
}
