import { Injectable } from '@nestjs/common';
import { conflict, type TrainingSplit } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import type { MixedRow } from '../../compositions/index.js';
import { FREEZE_ROWS, PAGE_OF_FILE } from './frozen-files.sql.js';

/** The limit of providers. */
const MAX_FILE_BYTES = 536_870_912;

/** Rows per statement; each has at most a megabyte. */
const SLICE = 64;

export interface FileExtent {
  lines: number;
  bytes: number;
}

interface FrozenLine {
  position: number;
  line: string;
}

/** SQL: rows are copied without leaving Postgres, and read in pages that end where they exceed a number of bytes. */
@Injectable()
export class FrozenFiles {
  constructor(private readonly db: Database) {}

  /** Leaves out rows that were deleted meanwhile. Returns the size of the file; 409 as soon as it is too large. */
  async freeze(tx: Tx, runId: string, split: TrainingSplit, rows: readonly MixedRow[]): Promise<FileExtent> {
    const extent = { lines: 0, bytes: 0 };
    for (let at = 0; at < rows.length; at += SLICE) {
      const slice = rows.slice(at, at + SLICE);
      const [frozen] = await tx.query<FileExtent>(FREEZE_ROWS, [
        tx.companyId,
        runId,
        split,
        at,
        slice.map(({ id }) => id),
        slice.map(({ copies }) => copies),
      ]);
      extent.lines += frozen?.lines ?? 0;
      extent.bytes += frozen?.bytes ?? 0;
      if (extent.bytes > MAX_FILE_BYTES)
        throw conflict(`a file of the run would have more than ${MAX_FILE_BYTES} bytes, the most that is possible`);
    }
    return extent;
  }

  /** A row is repeated after all rows have occurred once more. */
  async *text(companyId: number, runId: string, split: TrainingSplit): AsyncGenerator<string> {
    for (let round = 1; ; round++) {
      let isEmpty = true;
      for (let after = 0; ;) {
        const page = await this.page(companyId, [runId, split, round, after]);
        const last = page.at(-1);
        if (!last) break;
        isEmpty = false;
        yield page.map(({ line }) => `${line}\n`).join('');
        after = last.position;
      }
      if (isEmpty) return;
    }
  }

  private page(companyId: number, values: unknown[]): Promise<FrozenLine[]> {
    return this.db.select<FrozenLine>(companyId, PAGE_OF_FILE, values);
  }
}
