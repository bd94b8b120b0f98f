import { NOW_MS, type Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { EndedRepeat } from '../run-records/index.js';

/** A lane of a run, with the job that a worker holds. */
export interface Lane {
  job: Job;
  runId: string;
  /** The number of the place: that of the lane, and for its second place that number plus the concurrency of the run. */
  no: number;
  /** Kind of the work that completes the run. */
  runWork: string;
  repeats: number;
  /** How many lanes the run has. */
  concurrency: number;
}

/** Some lanes of one run. */
export type Lanes = readonly [Lane, ...Lane[]];

/** Lanes by their run. */
export function ofOneRun(lanes: readonly Lane[]): Lanes[] {
  const byRun = new Map<string, [Lane, ...Lane[]]>();
  for (const lane of lanes) {
    const some = byRun.get(lane.runId);
    if (some) some.push(lane);
    else byRun.set(lane.runId, [lane]);
  }
  return [...byRun.values()];
}

/** The item that a lane executes. */
export interface LaneItem {
  id: number;
  test_set_item_id: number;
  /** Whether fewer items than lanes were pending when it was taken. */
  is_near_end: boolean;
  adapted_input: Record<string, unknown>;
  attempts: number;
  call_id: string;
  losses: number;
  /** The results of its repeats that count. */
  ended: EndedRepeat[];
}

/** The columns of an item `i` for its lane. */
export const ITEM = `i.id, i.test_set_item_id, i.adapted_input, i.attempts, i.call_id, i.losses,
  CASE WHEN i.attempts = 0 THEN '[]'::json ELSE COALESCE((
    SELECT json_agg(json_build_object('repeat', a.repeat, 'status', a.status, 'failure_class', a.failure_class))
    FROM "test-runs".run_attempts a WHERE a.company_id = i.company_id AND a.run_item_id = i.id AND a.is_current), '[]'::json) END AS ended`;

/**
 * Takes pending items for lanes of one run; a lane that gets none makes the work of the run due. By number of lane. The
 * limits are subqueries and the lanes are counted by their subscripts: estimates that depend on the values of parameters
 * would make Postgres plan the statement anew each time, for half of what its execution costs. The items are found by an
 * array of ids: such limits are estimated as a tenth of all items, for which Postgres would read the whole table.
 */
export async function takeItems(tx: Tx, lanes: Lanes): Promise<Map<number, LaneItem>> {
  const [{ runId, runWork, concurrency }] = lanes;
  const rows = await tx.query<LaneItem & { lane: number }>(
    `WITH free AS (
       SELECT p.id, row_number() OVER (ORDER BY p.position) AS n FROM (
         SELECT p.id, p.position FROM "test-runs".run_items p WHERE p.company_id = $1 AND p.run_id = $2 AND p.status = 'PENDING'
         ORDER BY p.position LIMIT (SELECT $4::int) FOR UPDATE SKIP LOCKED) p),
     pending AS MATERIALIZED (SELECT count(*) AS n FROM (
       SELECT 1 FROM "test-runs".run_items p WHERE p.company_id = $1 AND p.run_id = $2 AND p.status = 'PENDING'
       ORDER BY p.position LIMIT (SELECT $4::int + $5::int)) p)
     UPDATE "test-runs".run_items i SET status = 'RUNNING', lane = l.lane, losses = 0,
       call_id = COALESCE(i.call_id, gen_random_uuid()),
       started_at = COALESCE(i.started_at, ${NOW_MS}), date_updated = ${NOW_MS}
     FROM free JOIN (SELECT ($3::int[])[n] AS lane, n FROM generate_subscripts($3::int[], 1) n) l USING (n)
     WHERE i.company_id = $1 AND i.id = ANY (ARRAY(SELECT f.id FROM free f)) AND i.id = free.id RETURNING i.lane, ${ITEM}, (SELECT pending.n < $4 + $5 FROM pending) AS is_near_end`,
    [tx.companyId, runId, lanes.map(({ no }) => no), lanes.length, concurrency],
  );
  if (rows.length < lanes.length) tx.addWork(runWork, runId);
  return new Map(rows.map(({ lane, ...item }) => [lane, item]));
}
