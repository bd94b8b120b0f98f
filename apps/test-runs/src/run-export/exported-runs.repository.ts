import { Injectable } from '@nestjs/common';
import { notFound } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { PAGE_OF_ITEMS, RUN_FILE_COLUMNS, SUMMARY_OF_RUN } from './exported-runs.sql.js';

const WORDS = ['status', 'failure_class', 'error_code', 'error_message', 'outcome', 'expectation_source'];

export const JSON_COLUMNS: ReadonlySet<string> = new Set(RUN_FILE_COLUMNS.filter((name) => !WORDS.includes(name)));

/** JSON texts, except for the columns of `WORDS`. */
export type ExportedItem = Record<(typeof RUN_FILE_COLUMNS)[number], string | null> & { position: number };

export interface ExportedRun {
  no: number;
  name: string | null;
  set_name: string;
  consumer: string;
  total: number;
  mismatched: number;
  errors: number;
  /** Items without a verdict. */
  skipped: number;
  /** The sum over all items, in ms. */
  duration_ms: number;
  started_at: number | null;
}

/** SQL: a page ends where its bodies exceed a number of bytes; items are counted by outcome. */
@Injectable()
export class ExportedRuns {
  constructor(private readonly db: Database) {}

  async run(companyId: number, id: string): Promise<ExportedRun> {
    const [run] = await this.db.select<ExportedRun>(companyId, SUMMARY_OF_RUN, [id]);
    if (!run) throw notFound('test run');
    return run;
  }

  async *items(companyId: number, runId: string): AsyncGenerator<ExportedItem[]> {
    for (let after = -1; ;) {
      const page = await this.page(companyId, runId, after);
      const last = page.at(-1);
      if (!last) return;
      yield page;
      after = last.position;
    }
  }

  private page(companyId: number, runId: string, after: number): Promise<ExportedItem[]> {
    return this.db.select<ExportedItem>(companyId, PAGE_OF_ITEMS, [runId, after]);
  }
}
