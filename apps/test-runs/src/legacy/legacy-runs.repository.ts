import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type JsonText,
  type LegacyRunItem,
  type LegacyTestRun,
  type LegacyType,
  notFound,
  type Page,
} from '@signalbox/contracts';
import { Database, type ListOptions, type Tx, filtersOf } from '@signalbox/database';
import { type RunStart, RunStarts } from '../runs/index.js';
import type { CreatedRun } from '../run-records/index.js';
import { KINDS, legacyItemView, runView } from './legacy-runs.sql.js';

const OUTCOMES = { passed: 'PASS', failed: 'FAIL', error: 'ERROR' } as const;

/** SQL: the rows of unified runs in other columns. */
@Injectable()
export class LegacyRuns {
  constructor(
    private readonly db: Database,
    private readonly starts: RunStarts,
  ) {}

  list(companyId: number, { type, test_set_id, ...query }: ListOptions & { type: LegacyType; test_set_id?: number }) {
    const filters = filtersOf(runView, { consumer_kind: KINDS[type], test_set_id });
    return this.db.list<LegacyTestRun>(runView, companyId, { ...query, filters });
  }

  async get(companyId: number, no: number): Promise<JsonText<LegacyTestRun>> {
    return (await this.db.readOne<LegacyTestRun>(runView, companyId, no)) ?? missing();
  }

  /** All or nothing. */
  start(caller: Caller, values: CreatedRun, consumer: RunStart['consumer']): Promise<JsonText<LegacyTestRun>> {
    const start = { consumer, concurrency: CONCURRENCY, bag: undefined };
    const read = async (tx: Tx, { no }: { no: number }) => (await tx.read<LegacyTestRun>(runView, no)) ?? missing();
    return this.starts.start(caller, values, start, read);
  }

  items(
    companyId: number,
    runId: string,
    { outcome, matched, ...query }: ListOptions & { outcome?: (keyof typeof OUTCOMES)[]; matched?: boolean },
  ): Promise<JsonText<Page<LegacyRunItem>>> {
    const outcomes = outcome?.map((each) => OUTCOMES[each]);
    const filters = filtersOf(legacyItemView, { run_id: runId, outcome: outcomes, matched });
    return this.db.list<LegacyRunItem>(legacyItemView, companyId, { ...query, filters });
  }
}

const CONCURRENCY = 4;

const missing = (): never => {
  throw notFound('test run');
};
