import { Injectable } from '@nestjs/common';
import { conflict, MAX_TRAINING_ROWS } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import type { RowTexts } from '../requests/index.js';
import type { Candidate } from './mix.js';
import { KEYS_OF_CANDIDATES, PAGE_OF_CANDIDATES, SLICE } from './candidates.sql.js';
const PAGE_ROWS = 500;

export type TextRow = RowTexts & {
  /** Position in the requested sequence, from 1. */
  n: number;
  /** How many rows of that sequence exist. */
  found: number;
  id: number;
  dataset_id: number;
  body_bytes: number;
};

/** SQL: keys are read in slices, and a page of bodies ends where it exceeds a number of bytes. */
@Injectable()
export class Candidates {
  constructor(private readonly db: Database) {}

  /** Throws 409 when the rows are too many for one composition. */
  async keys(companyId: number, datasetIds: readonly number[]): Promise<Candidate[]> {
    const all: Candidate[] = [];
    for (let after = 0; ;) {
      const slice = await this.db.select<Candidate>(companyId, KEYS_OF_CANDIDATES, [datasetIds, after]);
      all.push(...slice);
      if (all.length > MAX_TRAINING_ROWS)
        throw conflict(`the datasets of a composition can have at most ${MAX_TRAINING_ROWS} requests together`);
      const last = slice.at(-1);
      if (!last || slice.length < SLICE) return all;
      after = last.id;
    }
  }

  /** In the order of the ids; rows that were deleted meanwhile are left out. */
  async *texts(companyId: number, ids: Iterable<number>): AsyncGenerator<TextRow[]> {
    let waiting: number[] = [];
    const next = ids[Symbol.iterator]();
    for (;;) {
      while (waiting.length < PAGE_ROWS) {
        const { done, value } = next.next();
        if (done) break;
        waiting.push(value);
      }
      if (waiting.length === 0) return;
      const page = await this.page(companyId, waiting);
      if (page.length > 0) yield page;
      const last = page.at(-1);
      waiting = last && last.found > page.length ? waiting.slice(last.n) : [];
    }
  }

  private page(companyId: number, ids: readonly number[]): Promise<TextRow[]> {
    return this.db.select<TextRow>(companyId, PAGE_OF_CANDIDATES, [ids]);
  }
}
