import { Injectable } from '@nestjs/common';
import { Database } from '@signalbox/database';
import { PAGE_OF_ITEMS } from './file-export.sql.js';

export const FILE_COLUMNS = [
  'input',
  'expected_output',
  'response_sub',
  'meta',
  'source_type',
  'source_id',
  'flatten_variant',
] as const;

export type FileItem = Record<(typeof FILE_COLUMNS)[number], string | null> & { position: number };

/** SQL: a page ends where its bodies exceed a number of bytes. */
@Injectable()
export class FileExports {
  constructor(private readonly db: Database) {}

  /** Each item once, whatever is added or deleted meanwhile. */
  async *items(companyId: number, setId: number): AsyncGenerator<FileItem[]> {
    for (let after = -1; ;) {
      const page = await this.page(companyId, setId, after);
      const last = page.at(-1);
      if (!last) return;
      yield page;
      after = last.position;
    }
  }

  private page(companyId: number, setId: number, after: number): Promise<FileItem[]> {
    return this.db.select<FileItem>(companyId, PAGE_OF_ITEMS, [setId, after]);
  }
}
