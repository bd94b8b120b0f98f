import { Injectable } from '@nestjs/common';
import type { TrainingSplit } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import type { MixedRow } from '../../compositions/index.js';

/** Rows that one statement freezes; each has at most a megabyte. */
const SLICE = 64;
/** The text of one page, beyond which only its first line is longer. */
const PAGE_BYTES = 2_097_152;
const PAGE_ROWS = 500;

/** The extent of a frozen file. */
export interface FileExtent {
  lines: number;
  bytes: number;
}

interface FrozenLine {
  position: number;
  line: string;
}

/**
 * The files of finetune runs: the rows of a composition as they were when the run was created.
 *
 * SQL: rows are copied without leaving Postgres, and read in pages that end where they exceed a number of bytes.
 */
@Injectable()
export class FrozenFiles {
  constructor(private readonly db: Database) {}

  /** Freezes rows; those that were deleted meanwhile are left out. Returns the extent of the file. */
  async freeze(tx: Tx, runId: string, split: TrainingSplit, rows: readonly MixedRow[]): Promise<FileExtent> {
    const extent = { lines: 0, bytes: 0 };
    for (let at = 0; at < rows.length; at += SLICE) {
      const slice = rows.slice(at, at + SLICE);
      const [frozen] = await tx.query<FileExtent>(
        `WITH frozen AS (
           INSERT INTO training.finetune_rows (company_id, run_id, split, position, copies, line)
           SELECT $1, $2, $3, $4 + g.n, g.copies, '{"messages":' || left(rtrim(t.messages::text), -1) || ',' || t.response::text
             || ']' || CASE WHEN t.tools IS NULL THEN '' ELSE ',"tools":' || t.tools::text END || '}'
           FROM unnest($5::int[], $6::int[]) WITH ORDINALITY g(id, copies, n)
           JOIN training.dataset_requests t ON t.company_id = $1 AND t.id = g.id AND t.deleted_at IS NULL
           RETURNING copies, octet_length(line) + 1 AS bytes)
         SELECT COALESCE(sum(copies), 0)::int AS lines, COALESCE(sum(copies * bytes), 0)::bigint AS bytes FROM frozen`,
        [tx.companyId, runId, split, at, slice.map(({ id }) => id), slice.map(({ copies }) => copies)],
      );
      extent.lines += frozen?.lines ?? 0;
      extent.bytes += frozen?.bytes ?? 0;
    }
    return extent;
  }

  /** The text of a file; a copy comes after all rows have occurred once more. */
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
    return this.db.select<FrozenLine>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT b.position, b.line FROM (
           SELECT r.*, sum(octet_length(r.line)) OVER (ORDER BY r.position) - octet_length(r.line) AS before FROM (
             SELECT position, line FROM training.finetune_rows WHERE company_id = s.company AND run_id = $2 AND split = $3
               AND copies >= $4 AND position > $5 ORDER BY position LIMIT ${PAGE_ROWS}) r) b
         WHERE b.before < ${PAGE_BYTES} ORDER BY b.position OFFSET 0) x`,
      values,
    );
  }
}
