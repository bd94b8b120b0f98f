import { Injectable } from '@nestjs/common';
import type { Caller, PreparedTestRun, TestRun } from '@signalbox/contracts';
import { Database, NOW_MS, type Tx } from '@signalbox/database';
import { NOW } from '@signalbox/runs';
import { adapt, type CanonicalInput } from '../consumers/adapter.js';
import { problemsText } from '../consumers/adapter-problems.js';
import { InputSchemas } from '../consumers/input-schemas.js';
import { moved } from './test-run.js';
import { type LockedTestRun, TestRuns } from './test-run-kind.js';
import { TestRunRows } from './test-runs.repository.js';

/** Items read and written at once, and the bytes of their bodies. */
const SLICE = 500;
const SLICE_BYTES = 8_388_608;

/** What is known of the consumer when a run is prepared. */
export interface PreparedConsumer {
  version: string | null;
  name: string | null;
  /** The schema of a workflow's input. */
  input_schema?: Record<string, unknown> | null;
}

interface SourceItem {
  id: number;
  position: number;
  input: CanonicalInput;
}

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
  prepare(caller: Caller, no: number, consumer: PreparedConsumer): Promise<PreparedTestRun> {
    // The idempotency record keeps what the transaction returns.
    return this.db.withCompany(caller, async (tx) => {
      const run = await this.rows.lock(tx, no);
      moved({ ...run, no }, 'prepare');
      const item_count = await this.prepareIn(tx, run, consumer);
      const record = await this.rows.audited(tx, no, 'update');
      return { ...(JSON.parse(record.text) as TestRun), item_count };
    });
  }

  /** Prepares a locked run within a transaction; returns the number of its items. */
  async prepareIn(tx: Tx, run: LockedTestRun, { version, name, input_schema }: PreparedConsumer): Promise<number> {
    let count = 0;
    for (let after = -1; ;) {
      const items = await this.slice(tx, run, after);
      const last = items.at(-1);
      if (!last) break;
      await this.insert(tx, run, items, input_schema);
      count += items.length;
      after = last.position;
    }
    const values = { consumer_version: version, target_name: name, total_items: count };
    await this.runs.writes.move(tx, run, 'prepare', { ...values, prepared_at: NOW, date_updated: NOW });
    return count;
  }

  private slice(tx: Tx, { test_set_id }: LockedTestRun, after: number): Promise<SourceItem[]> {
    return tx.query<SourceItem>(
      `SELECT id, position, input FROM (
         SELECT id, position, input, body_bytes, sum(body_bytes) OVER (ORDER BY position) AS total FROM (
           SELECT id, position, input, body_bytes FROM "test-runs".test_set_items
           WHERE company_id = $1 AND test_set_id = $2 AND deleted_at IS NULL AND position > $3
           ORDER BY position LIMIT ${SLICE}) c) s
       WHERE total - body_bytes < ${SLICE_BYTES} ORDER BY position`,
      [tx.companyId, test_set_id, after],
    );
  }

  private async insert(
    tx: Tx,
    run: LockedTestRun,
    items: readonly SourceItem[],
    schema: PreparedConsumer['input_schema'],
  ): Promise<void> {
    const adaptations = await Promise.all(
      items.map(({ input }) =>
        this.schemas.checked(tx.companyId, adapt(run.consumer_kind, input, run.consumer_config), schema),
      ),
    );
    await tx.query(
      `INSERT INTO "test-runs".run_items (company_id, run_id, test_set_item_id, position, baseline, adapted_input, error_message,
         status, failure_class, completed_at)
       SELECT $1, $2, s.id, s.position, s.expected_output, u.adapted::json, u.problem,
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
