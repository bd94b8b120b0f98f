import { Injectable } from '@nestjs/common';
import { Database, NOW_MS, type Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { Execution } from '../consumers/execution.js';
import { type EndedRepeat, nextRepeat, stateAfter } from '../runs/run-item.js';
import { type LockedTestRun, RUN_WORK } from '../runs/test-run-kind.js';
import { TestRunRows } from '../runs/test-runs.repository.js';
import { WriteTurns } from './write-turns.js';

/** Less than half of the connections of a process. */
const WRITES_AT_ONCE = 4;

/** A lane of a run, with the job that a worker holds. */
export interface Lane {
  job: Job;
  runId: string;
  no: number;
  /** Kind of the work that completes the run. */
  runWork: string;
  repeats: number;
}

/** The item that a lane executes. */
export interface LaneItem {
  id: number;
  test_set_item_id: number;
  adapted_input: Record<string, unknown>;
  attempts: number;
  call_id: string;
  losses: number;
  /** The results of its repeats that count. */
  ended: EndedRepeat[];
}

const ITEM = `i.id, i.test_set_item_id, i.adapted_input, i.attempts, i.call_id, i.losses,
  COALESCE((SELECT json_agg(json_build_object('repeat', a.repeat, 'status', a.status, 'failure_class', a.failure_class))
    FROM "test-runs".run_attempts a WHERE a.company_id = i.company_id AND a.run_item_id = i.id AND a.is_current), '[]'::json) AS ended`;

/**
 * The items of runs as their lanes execute them. A lane executes one item at a time and its job has a lease, so a run
 * never has more items under way than lanes, whatever processes work on it.
 *
 * SQL: an item is recorded and the next one taken in one transaction, next to the other lanes.
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

  /** Records an execution; returns what the lane executes next, null when there is nothing or `goesOn` is false. */
  record(
    lane: Lane,
    item: LaneItem,
    execution: Execution,
    startedAt: number,
    goesOn: boolean,
  ): Promise<LaneItem | null> {
    const repeat = nextRepeat(item.ended, lane.repeats) ?? 1;
    const ended = [...item.ended, { repeat, status: execution.status, failure_class: execution.failure_class }];
    const status = stateAfter(ended, lane.repeats);
    return this.write(lane, async (tx) => {
      const recorded = await this.insert(tx, lane, item, { execution, repeat, startedAt, status, ended });
      // The run was deleted.
      if (!recorded) return null;
      if (status === 'RUNNING') return { ...item, ...recorded, losses: 0, ended };
      return goesOn ? this.take(tx, lane) : null;
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
    const [item] = await tx.query<LaneItem>(
      `UPDATE "test-runs".run_items i SET status = 'RUNNING', lane = $3, call_id = gen_random_uuid(), losses = 0,
         started_at = COALESCE(i.started_at, ${NOW_MS}), date_updated = ${NOW_MS}
       WHERE i.company_id = $1 AND i.id = (
         SELECT p.id FROM "test-runs".run_items p WHERE p.company_id = $1 AND p.run_id = $2 AND p.status = 'PENDING'
         ORDER BY p.position LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING ${ITEM}`,
      [tx.companyId, lane.runId, lane.no],
    );
    if (!item) tx.addWork(lane.runWork, lane.runId);
    return item ?? null;
  }

  /** Writes an attempt and the state of its item; undefined when the item does not exist any more. */
  private async insert(
    tx: Tx,
    lane: Lane,
    item: LaneItem,
    { execution, repeat, startedAt, status, ended }: Recorded,
  ): Promise<Pick<LaneItem, 'attempts' | 'call_id'> | undefined> {
    const failure = ended.find((each) => each.status === 'FAILED');
    const isFirst = failure !== undefined && failure.repeat === repeat;
    const [row] = await tx.query<Pick<LaneItem, 'attempts' | 'call_id'>>(
      `WITH item AS (
         UPDATE "test-runs".run_items i SET attempts = i.attempts + 1, status = $4::text, losses = 0,
           failure_class = $5::text, error_code = CASE WHEN $6::boolean THEN $7::text ELSE i.error_code END,
           error_message = CASE WHEN $6::boolean THEN $8::text ELSE i.error_message END,
           lane = CASE WHEN $4::text = 'RUNNING' THEN i.lane END,
           call_id = CASE WHEN $4::text = 'RUNNING' THEN gen_random_uuid() END,
           completed_at = CASE WHEN $4::text <> 'RUNNING' THEN ${NOW_MS} END, date_updated = ${NOW_MS}
         WHERE i.company_id = $1 AND i.id = $2 AND i.status = 'RUNNING' AND i.lane = $3 AND i.call_id = $9
         RETURNING i.company_id, i.id, i.run_id, i.attempts, i.call_id),
       attempt AS (
         INSERT INTO "test-runs".run_attempts (company_id, run_id, run_item_id, attempt, repeat, status, failure_class,
           error_code, error_message, actual_output, source_ref, duration_ms, started_at, completed_at)
         SELECT company_id, run_id, id, attempts, $10::int, $11::text, $12::text, $7::text, $8::text, $13::json, $14::json, $15::int, $16::bigint, $16::bigint + $15::int
         FROM item)
       SELECT attempts, call_id FROM item`,
      [
        tx.companyId,
        item.id,
        lane.no,
        status,
        status === 'FAILED' ? (failure?.failure_class ?? null) : null,
        // The item shows the first failure of its repeats, or why a completed one has no output.
        isFirst || (failure === undefined && execution.error_message !== null),
        execution.error_code,
        execution.error_message,
        item.call_id,
        repeat,
        execution.status,
        execution.failure_class,
        execution.output && JSON.stringify(execution.output),
        execution.source_ref && JSON.stringify(execution.source_ref),
        Math.max(0, Date.now() - startedAt),
        startedAt,
      ],
    );
    return row;
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

interface Recorded {
  execution: Execution;
  repeat: number;
  startedAt: number;
  status: string;
  ended: readonly EndedRepeat[];
}
