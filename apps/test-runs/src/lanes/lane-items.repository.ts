import { Injectable } from '@nestjs/common';
import { Database, NOW_MS, type Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { Execution } from '../consumers/execution.js';
import { type LockedTestRun, RUN_WORK } from '../runs/test-run-kind.js';
import { TestRunRows } from '../runs/test-runs.repository.js';
import { ITEM, type Lane, type LaneItem, takeItems } from './lane-item.js';
import { WriteTurns } from './write-turns.js';

/** Less than half of the connections of a process. */
const WRITES_AT_ONCE = 4;

/**
 * The items of runs as their lanes execute them. A lane executes one item at a time and its job has a lease, so a run
 * never has more items under way than lanes, whatever processes work on it.
 *
 * SQL: an item is taken next to the other lanes.
 */
@Injectable()
export class LaneItems {
  private readonly turns = new WriteTurns(WRITES_AT_ONCE);

  constructor(
    private readonly db: Database,
    private readonly rows: TestRunRows,
  ) {}

  /** The run of a lane; null when it does not exist. */
  run({ companyId }: Job, runId: string): Promise<LockedTestRun | null> {
    return this.turns.run(() => this.rows.load(companyId, runId));
  }

  /** Takes the item that a lost worker of the lane has left, else the next pending one; null when there is none. */
  begin(lane: Lane): Promise<LaneItem | null> {
    return this.write(lane, async (tx) => {
      const [left] = await tx.query<LaneItem>(
        `UPDATE "test-runs".run_items i SET losses = i.losses + 1, date_updated = ${NOW_MS}
         WHERE i.company_id = $1 AND i.run_id = $2 AND i.lane = $3 AND i.status = 'RUNNING' RETURNING ${ITEM}`,
        [tx.companyId, lane.runId, lane.no],
      );
      return left ?? this.take(tx, lane);
    });
  }

  /** Returns an item to the pending ones, because a dependency is down. */
  putBack(lane: Lane, { id }: LaneItem): Promise<void> {
    return this.write(lane, async (tx) => {
      await tx.query(
        `UPDATE "test-runs".run_items SET status = 'PENDING', lane = NULL, call_id = NULL, losses = 0, date_updated = ${NOW_MS}
         WHERE company_id = $1 AND id = $2 AND status = 'RUNNING' AND lane = $3`,
        [tx.companyId, id, lane.no],
      );
    });
  }

  /** Ends every item without a result: the one process that could execute them, with their secrets, is gone. */
  failRest(lane: Lane, { failure_class, error_code, error_message }: Execution): Promise<void> {
    return this.write(lane, async (tx) => {
      await tx.query(
        `UPDATE "test-runs".run_items SET status = 'FAILED', failure_class = $3, error_code = $4, error_message = $5,
           lane = NULL, call_id = NULL, completed_at = ${NOW_MS}, date_updated = ${NOW_MS}
         WHERE company_id = $1 AND run_id = $2 AND status IN ('PENDING', 'RUNNING')
           AND EXISTS (SELECT 1 FROM "test-runs".runs r WHERE r.company_id = $1 AND r.id = $2 AND r.work_kind = $6)`,
        [tx.companyId, lane.runId, failure_class, error_code, error_message, lane.runWork],
      );
      // The holder of the secrets is gone, so that every process may complete the run.
      await tx.query(
        `UPDATE "test-runs".runs SET has_secrets = false, work_kind = $3
         WHERE company_id = $1 AND id = $2 AND work_kind = $4`,
        [tx.companyId, lane.runId, RUN_WORK, lane.runWork],
      );
    });
  }

  /** Makes the job of a lane due again with all its attempts. */
  again({ job }: Pick<Lane, 'job'>): Promise<void> {
    return this.write({ job }, async (tx) => {
      tx.addWork(job.kind, job.ref);
      return Promise.resolve();
    });
  }

  private async take(tx: Tx, lane: Lane): Promise<LaneItem | null> {
    const items = await takeItems(tx, [lane]);
    return items.get(lane.no) ?? null;
  }

  private write<T>({ job }: Pick<Lane, 'job'>, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { companyId } = job;
    return this.turns.run(() =>
      this.db.withCompany({ companyId }, async (tx) => {
        await tx.requireFence(job);
        return work(tx);
      }),
    );
  }
}
