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
import { Database, type Filter, type ListOptions, type Tx, type View } from '@signalbox/database';
import { itemView } from '../run-items/index.js';
import { type RunStart, RunStarts } from '../runs/index.js';
import type { CreatedRun } from '../run-records/index.js';

const runView: View = {
  resource: 'test run',
  table: '"test-runs".runs',
  columns: ['test_set_id', 'status', 'description', 'date_created', 'completed_at'],
  computed: { id: 't.no' },
  search: ['t.name', 't.description'],
  key: 'no',
  // Agents do not appear under the legacy paths.
  alive: `t.consumer_kind <> 'AGENT'`,
};

const { computed = {}, bodies = {} } = itemView;
const legacyItemView: View = {
  resource: 'item',
  table: itemView.table,
  columns: ['id', 'test_set_item_id', 'status', 'failure_class', 'matched'],
  computed: {
    test_run_id: computed['test_run_id'] ?? '',
    duration_ms: computed['duration_ms'] ?? '',
  },
  bodies: { diff_result: bodies['diff_result'] ?? '' },
  alive: 'true',
};

const KINDS: Readonly<Record<LegacyType, string>> = { request: 'MODEL', workflow: 'WORKFLOW' };
const OUTCOMES = { passed: 'PASS', failed: 'FAIL', error: 'ERROR' } as const;

/**
 * Test runs in the shape of the legacy paths.
 *
 * SQL: the rows of unified runs in other columns.
 */
@Injectable()
export class LegacyRuns {
  constructor(
    private readonly db: Database,
    private readonly starts: RunStarts,
  ) {}

  list(companyId: number, { type, test_set_id, ...query }: ListOptions & { type: LegacyType; test_set_id?: number }) {
    const filters: Filter[] = [{ sql: 't.consumer_kind = ?', value: KINDS[type] }];
    if (test_set_id !== undefined) filters.push({ sql: 't.test_set_id = ?', value: test_set_id });
    return this.db.list<LegacyTestRun>(runView, companyId, { ...query, filters });
  }

  async get(companyId: number, no: number): Promise<JsonText<LegacyTestRun>> {
    return (await this.db.readOne<LegacyTestRun>(runView, companyId, no)) ?? missing();
  }

  /** Creates, prepares and executes a run, or does nothing. */
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
    const filters: Filter[] = [{ sql: 't.run_id = ?::uuid', value: runId }];
    const outcomes = outcome?.map((each) => OUTCOMES[each]);
    if (outcomes) filters.push({ sql: `${computed['outcome'] ?? ''} = ANY (?::text[])`, value: outcomes });
    if (matched !== undefined) filters.push({ sql: 't.matched = ?', value: matched });
    return this.db.list<LegacyRunItem>(legacyItemView, companyId, { ...query, filters });
  }
}

const CONCURRENCY = 4;

const missing = (): never => {
  throw notFound('test run');
};
