import { Injectable } from '@nestjs/common';
import type { Caller, PreparedTestRun, TestRun } from '@signalbox/contracts';
import { Database, NOW_MS, type Tx } from '@signalbox/database';
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

/** Items read and written at once, and the bytes of their bodies. */
const SLICE = 500;
const SLICE_BYTES = 8_388_608;

/** What inputs are adapted to besides the configuration of the run. */
export const targetOf = ({ input_schema, defaults }: PreparedConsumer) => ({ input_schema, defaults });

/** Hash of the input and the baseline of an item of a set, as SQL over its alias. */
export const SOURCE_MD5 = (item: string): string =>
  `md5(${item}.input::text || COALESCE(${item}.expected_output::text, ''))`;

/** What is known of the consumer when a run is prepared. */
export interface PreparedConsumer {
  version: string | null;
  name: string | null;
  /** What the calls of a model inherit from their intent. */
  defaults?: CallDefaults;
  input_schema?: Record<string, unknown> | null;
}

/** An item of a set, in the order of its position. */
interface PlacedItem extends SourceItem {
  position: number;
}

/** Reads items; `text` is the statement over the SQL expression of the company. */
type Query = (text: (company: string) => string, values: [setId: number, after: number]) => Promise<PlacedItem[]>;

/**
 * Prepares runs: one row for each item of the set, with its input adapted to the consumer.
 *
 * SQL: the items of a set are read in slices bounded by rows and bytes, and inserted in bulk.
 */
@Injectable()
export class Preparations {
  constructor(
    private readonly db: Database,
    private readonly runs: TestRuns,
    private readonly rows: TestRunRows,
    private readonly schemas: InputSchemas,
  ) {}

  /** Inserts all items and moves the run to RUNNING, or does nothing. */
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

  /** Checks the inputs of a set slice by slice, and stores them in a transaction of `store`. */
  withCheckedInputs<T>(
    caller: Caller,
    target: AdaptationTarget,
    setId: number,
    store: (inputs: CheckedInputs) => Promise<T>,
  ): Promise<T> {
    const read: Query = (text, values) =>
      this.db.select(caller.companyId, `SELECT x.* FROM s, LATERAL (${text('s.company')} OFFSET 0) x`, values);
    const check = async (inputs: CheckedInputs): Promise<void> => {
      if (!target.input_schema) return;
      for await (const items of slicesOf(read, setId)) await inputs.check(items);
    };
    return this.schemas.storing(caller, target, check, store);
  }

  /** Prepares a locked run within a transaction; returns the number of its items. */
  async prepareIn(
    tx: Tx,
    run: LockedTestRun,
    { version, name }: PreparedConsumer,
    inputs: CheckedInputs,
  ): Promise<number> {
    let count = 0;
    const read: Query = (text, values) => tx.query(text('$1'), [tx.companyId, ...values]);
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
    await tx.query(
      `INSERT INTO "test-runs".run_items (company_id, run_id, test_set_item_id, position, baseline, source_md5, adapted_input, error_message,
         status, failure_class, completed_at)
       SELECT $1, $2, s.id, s.position, s.expected_output, ${SOURCE_MD5('s')}, u.adapted::json, u.problem,
         CASE WHEN u.problem IS NULL THEN 'PENDING' ELSE 'FAILED' END,
         CASE WHEN u.problem IS NOT NULL THEN 'adapter' END, CASE WHEN u.problem IS NOT NULL THEN ${NOW_MS} END
       FROM unnest($3::int[], $4::text[], $5::text[]) WITH ORDINALITY u(id, adapted, problem, n)
       JOIN "test-runs".test_set_items s ON s.company_id = $1 AND s.id = u.id ORDER BY u.n`,
      [
        tx.companyId,
        run.id,
        items.map(({ id }) => id),
        adaptations.map(({ adapted_input }) => (adapted_input ? JSON.stringify(adapted_input) : null)),
        adaptations.map(({ errors }) => problemsText(errors)),
      ],
    );
  }
}

/** The items of a set in the order of their positions, bounded in rows and bytes. */
async function* slicesOf(read: Query, setId: number): AsyncGenerator<PlacedItem[]> {
  for (let after = -1; ;) {
    const items = await read(
      (company) => `SELECT id, position, version, input FROM (
         SELECT id, position, version, input, body_bytes, sum(body_bytes) OVER (ORDER BY position) AS total FROM (
           SELECT id, position, xmin::text AS version, input, body_bytes FROM "test-runs".test_set_items
           WHERE company_id = ${company} AND test_set_id = $2 AND deleted_at IS NULL AND position > $3
           ORDER BY position LIMIT ${SLICE}) c) s
       WHERE total - body_bytes < ${SLICE_BYTES} ORDER BY position`,
      [setId, after],
    );
    const last = items.at(-1);
    if (!last) return;
    yield items;
    after = last.position;
  }
}
