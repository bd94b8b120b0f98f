import { Injectable } from '@nestjs/common';
import type { Caller, PreparedTestRun, TestRun } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { NOW } from '@signalbox/runs';
import {
  type AdaptationTarget,
  type CallDefaults,
  type CheckedInputs,
  InputSchemas,
  problemsText,
  type SourceItem,
} from '../consumers/index.js';
import { type LockedTestRun, moved, TestRunRows, TestRuns } from '../run-records/index.js';
import { INSERT_ITEMS, ITEMS_TO_CHECK, ITEMS_TO_PREPARE } from './preparation.sql.js';

/** What inputs are adapted to besides the configuration of the run. */
export const targetOf = ({ input_schema, defaults }: PreparedConsumer) => ({ input_schema, defaults });

export interface PreparedConsumer {
  version: string | null;
  name: string | null;
  /** Inherited by calls of a model from their intent. */
  defaults?: CallDefaults;
  input_schema?: Record<string, unknown> | null;
}

interface PlacedItem extends SourceItem {
  position: number;
}

type Query = (values: [setId: number, after: number]) => Promise<PlacedItem[]>;

/** SQL: the items of a set are read in slices bounded by rows and bytes, and inserted in bulk. */
@Injectable()
export class Preparations {
  constructor(
    private readonly db: Database,
    private readonly runs: TestRuns,
    private readonly rows: TestRunRows,
    private readonly schemas: InputSchemas,
  ) {}

  /** One row for each item of the set, with its input adapted to the consumer; all or nothing. */
  prepare(caller: Caller, found: LockedTestRun, consumer: PreparedConsumer): Promise<PreparedTestRun> {
    const { no } = found;
    return this.withCheckedInputs(caller, { ...found, ...targetOf(consumer) }, found.test_set_id, (inputs) =>
      // The idempotency record keeps what the transaction returns.
      this.db.withCompany(caller, async (tx) => {
        const run = await this.rows.lock(tx, no);
        moved({ ...run, no }, 'prepare');
        const item_count = await this.prepareIn(tx, run, consumer, inputs);
        const record = await this.rows.audited(tx, no, 'update');
        return { ...(JSON.parse(record.text) as TestRun), item_count };
      }),
    );
  }

  /** Slice by slice; the inputs are stored in a transaction of `store`. */
  withCheckedInputs<T>(
    caller: Caller,
    target: AdaptationTarget,
    setId: number,
    store: (inputs: CheckedInputs) => Promise<T>,
  ): Promise<T> {
    const read: Query = (values) => this.db.select(caller.companyId, ITEMS_TO_CHECK, values);
    const check = async (inputs: CheckedInputs): Promise<void> => {
      if (!target.input_schema) return;
      for await (const items of slicesOf(read, setId)) await inputs.check(items);
    };
    return this.schemas.storing(caller, target, check, store);
  }

  async prepareIn(
    tx: Tx,
    run: LockedTestRun,
    { version, name }: PreparedConsumer,
    inputs: CheckedInputs,
  ): Promise<number> {
    let count = 0;
    const read: Query = (values) => tx.query(ITEMS_TO_PREPARE, [tx.companyId, ...values]);
    for await (const items of slicesOf(read, run.test_set_id)) {
      await this.insert(tx, run, items, inputs);
      count += items.length;
    }
    const values = { consumer_version: version, target_name: name, total_items: count };
    await this.runs.writes.move(tx, run, 'prepare', { ...values, prepared_at: NOW, date_updated: NOW });
    return count;
  }

  private async insert(tx: Tx, run: LockedTestRun, items: readonly SourceItem[], inputs: CheckedInputs): Promise<void> {
    const adaptations = items.map((item) => inputs.adaptationOf(item));
    await tx.query(INSERT_ITEMS, [
      tx.companyId,
      run.id,
      items.map(({ id }) => id),
      adaptations.map(({ adapted_input }) => (adapted_input ? JSON.stringify(adapted_input) : null)),
      adaptations.map(({ errors }) => problemsText(errors)),
    ]);
  }
}

async function* slicesOf(read: Query, setId: number): AsyncGenerator<PlacedItem[]> {
  for (let after = -1; ;) {
    const items = await read([setId, after]);
    const last = items.at(-1);
    if (!last) return;
    yield items;
    after = last.position;
  }
}
