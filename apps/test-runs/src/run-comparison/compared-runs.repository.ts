import { Injectable } from '@nestjs/common';
import { type ComparedItem, notFound, type RunTotals } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { POSITIONS_OF_RUN, RUNS_BY_NUMBER, SUMS_OF_PAIR, type Query, PAGE_OF_ITEMS } from './compared-runs.sql.js';

export interface ComparedRunRow extends RunTotals {
  id: number;
  test_set_id: number;
  match_rate: number | null;
  uuid: string;
}

export interface ComparedPage {
  items: ComparedItem[];
  total: number;
}

export interface PairSums {
  criteria_id: number | null;
  name: string;
  criteria_type: 'BOOLEAN' | 'NUMERIC';
  n: number;
  both: number;
  only_first: number;
  only_second: number;
  neither: number;
  sum: number;
  squares: number;
  repeats: number;
}

/** `end` is excluded. */
export interface Part {
  start: number;
  end: number;
}

/** SQL: items are joined across runs by the item of the set, and summed up in parts. */
@Injectable()
export class ComparedRuns {
  constructor(private readonly db: Database) {}

  /** In the given order; 404 when one does not exist. */
  async runs(companyId: number, ids: readonly number[]): Promise<ComparedRunRow[]> {
    const rows = await this.db.select<ComparedRunRow>(companyId, RUNS_BY_NUMBER, [ids]);
    return ids.map((id) => {
      const run = rows.find((row) => row.id === id);
      if (!run) throw notFound('test run');
      return run;
    });
  }

  /** In the order of their first appearance. An item that a run lacks has no result there. */
  async page(
    companyId: number,
    runs: readonly ComparedRunRow[],
    { offset, limit, direction }: Query,
  ): Promise<ComparedPage> {
    const [page] = await this.db.select<ComparedPage>(companyId, PAGE_OF_ITEMS(direction), [
      runs.map(({ uuid }) => uuid),
      runs.map(({ id }) => id),
      offset,
      limit,
    ]);
    return page ?? { items: [], total: 0 };
  }

  async positions(companyId: number, run: string): Promise<number> {
    const [row] = await this.db.select<{ positions: number }>(companyId, POSITIONS_OF_RUN, [run]);
    return row?.positions ?? 0;
  }

  sums(companyId: number, first: string, second: string, { start, end }: Part): Promise<PairSums[]> {
    return this.db.select<PairSums>(companyId, SUMS_OF_PAIR, [first, second, start, end]);
  }
}
