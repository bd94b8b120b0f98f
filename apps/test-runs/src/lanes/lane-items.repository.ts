import { Injectable } from '@nestjs/common';
import { Database, NOW_MS, type Tx } from '@signalbox/database';
import { FenceLost, type Job } from '@signalbox/platform';
import type { Execution } from '../consumers/index.js';
import { type LockedTestRun, RUN_WORK, TestRunRows } from '../run-records/index.js';
import { ITEM, type Lane, type LaneItem, type Lanes, ofOneRun, takeItems } from './lane-item.js';
import type { Place } from './lane-places.js';
import { WriteBatches, type WriteResult } from './write-batches.js';
import { WriteTurns } from './write-turns.js';

/** Less than half of the connections of a process. */
const WRITES_AT_ONCE = 4;

/**
 * The items of runs as their lanes execute them. A lane makes one call at a time and its job has a lease, so a run never
 * has more calls under way than lanes, whatever processes work on it.
 *
 * SQL: an item is taken next to the other lanes.
 */
@Injectable()
export class LaneItems {
  private readonly turns = new WriteTurns(WRITES_AT_ONCE);
  private readonly begun = new WriteBatches<Place<Lane>, LaneItem | null>((companyId, places) =>
    this.first(companyId, places),
  );

  private readonly runs = new WriteBatches<string, LockedTestRun | null>((companyId, ids) => this.load(companyId, ids));

  constructor(
    private readonly db: Database,
    private readonly rows: TestRunRows,
  ) {}

  /** The run of a lane; null when it does not exist. Lanes that begin at about the same time share one look-up. */
  run({ companyId }: Job, runId: string): Promise<LockedTestRun | null> {
    return this.runs.add(companyId, runId);
  }

  /** Takes the item that a lost worker has left at the place, else the next pending one; null when there is none. */
  begin(place: Place<Lane>): Promise<LaneItem | null> {
    return this.begun.add(place.lane.job.companyId, place);
  }

  /**
   * Returns an item to the pending ones, because a dependency is down or the worker stops. It keeps the id of its call:
   * the next lane waits for the work that the call may have started.
   */
  putBack(lane: Lane, { id }: LaneItem): Promise<void> {
    return this.write(lane, async (tx) => {
      await tx.query(
        `UPDATE "test-runs".run_items SET status = 'PENDING', lane = NULL, losses = 0, date_updated = ${NOW_MS}
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

  private async load(companyId: number, ids: readonly string[]): Promise<WriteResult<LockedTestRun | null>[]> {
    const loads = new Map<string, Promise<LockedTestRun | null>>();
    for (const id of ids)
      if (!loads.has(id))
        loads.set(
          id,
          this.turns.run(() => this.rows.load(companyId, id)),
        );
    return Promise.all(ids.map(async (id) => ({ result: (await loads.get(id)) ?? null })));
  }

  /** The first items of places that begin at about the same time. */
  private first(companyId: number, places: readonly Place<Lane>[]): Promise<WriteResult<LaneItem | null>[]> {
    return this.turns.run(() =>
      this.db.withCompany({ companyId }, async (tx) => {
        const jobs = places.map(({ lane }) => lane.job).sort((one, other) => one.id - other.id);
        const fences = await tx.heldFences(jobs);
        const held = places.filter(({ lane }) => fences.has(lane.job.id));
        const left = new Set(held.filter(({ onlyLeft }) => onlyLeft).map(({ lane }) => lane));
        const items = new Map<Lane, LaneItem>();
        for (const lanes of ofOneRun(held.map(({ lane }) => lane)))
          for (const [lane, item] of await this.leftOrPending(tx, lanes, left)) items.set(lane, item);
        return places.map(({ lane }) =>
          fences.has(lane.job.id) ? { result: items.get(lane) ?? null } : { refused: new FenceLost() },
        );
      }),
    );
  }

  private async leftOrPending(tx: Tx, lanes: Lanes, onlyLeft: ReadonlySet<Lane>): Promise<Map<Lane, LaneItem>> {
    const left = await tx.query<LaneItem & { lane: number }>(
      `UPDATE "test-runs".run_items i SET losses = i.losses + 1, date_updated = ${NOW_MS}
       WHERE i.company_id = $1 AND i.run_id = $2 AND i.lane = ANY ($3::int[]) AND i.status = 'RUNNING' RETURNING i.lane, ${ITEM},
         false AS is_near_end`,
      [tx.companyId, lanes[0].runId, lanes.map(({ no }) => no)],
    );
    const items = new Map(left.map(({ lane, ...item }) => [lane, item]));
    const [first, ...others] = lanes.filter((lane) => !items.has(lane.no) && !onlyLeft.has(lane));
    const taken = first ? await takeItems(tx, [first, ...others]) : new Map<number, LaneItem>();
    return new Map(
      lanes.flatMap((lane) => {
        const item = items.get(lane.no) ?? taken.get(lane.no);
        return item ? [[lane, item]] : [];
      }),
    );
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
