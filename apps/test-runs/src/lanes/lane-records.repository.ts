import { Injectable } from '@nestjs/common';
import { Database, NOW_MS, type Tx } from '@signalbox/database';
import { FenceLost } from '@signalbox/platform';
import type { Execution } from '../consumers/index.js';
import { type EndedRepeat, nextRepeat, stateAfter } from '../run-records/index.js';
import { type Lane, type LaneItem, ofOneRun, takeItems } from './lane-item.js';
import { SHORT_CALL_MS } from './lane-places.js';
import { WriteBatches, type WriteResult } from './write-batches.js';

const MAX_GATHER_MS = 15;

/** An execution that a lane has ended. */
export interface EndedItem {
  lane: Lane;
  item: LaneItem;
  execution: Execution;
  /** Milliseconds since the epoch. */
  startedAt: number;
  durationMs: number;
  /** Whether the lane takes another item. */
  goesOn: boolean;
}

/** An ended execution with what it means for its item. */
interface Recorded extends EndedItem {
  repeat: number;
  ended: readonly EndedRepeat[];
  status: string;
}

/** What the database has written for a place whose job is still held; without an id when its item does not exist any more. */
type Written = { job: number; lane: number } & (Pick<LaneItem, 'id' | 'attempts' | 'call_id'> | { id: null });

/**
 * Records what lanes have executed, and takes their next items.
 *
 * SQL: the lanes of a company that end at about the same time share one transaction and its statements; that makes a
 * run of calls without latency several times as fast.
 */
@Injectable()
export class LaneRecords {
  private readonly batches = new WriteBatches<EndedItem, LaneItem | null>((companyId, writes) =>
    this.write(companyId, writes),
  );

  constructor(private readonly db: Database) {}

  /** Records an execution; returns what the lane executes next, null when there is nothing or it ends. */
  record(ended: EndedItem): Promise<LaneItem | null> {
    return this.batches.add(ended.lane.job.companyId, ended, gatherMs(ended));
  }

  private write(companyId: number, writes: readonly EndedItem[]): Promise<WriteResult<LaneItem | null>[]> {
    return this.db.withCompany({ companyId }, async (tx) => {
      const records = writes.map(recorded).sort((one, other) => one.lane.job.id - other.lane.job.id);
      const written = await insert(tx, records);
      const held = records.filter(({ lane }) => written.has(placeOf(lane)));
      const next = await this.next(tx, held, written);
      return writes.map(({ lane }) =>
        written.has(placeOf(lane)) ? { result: next.get(lane) ?? null } : { refused: new FenceLost() },
      );
    });
  }

  /** The next item of each lane: the same one for its next repeat, or a pending one. */
  private async next(
    tx: Tx,
    records: readonly Recorded[],
    written: ReadonlyMap<string, Written>,
  ): Promise<Map<Lane, LaneItem>> {
    const next = new Map<Lane, LaneItem>();
    const free: Lane[] = [];
    for (const { lane, item, status, ended, goesOn } of records) {
      const row = written.get(placeOf(lane));
      // Without an item the run was deleted.
      if (row?.id && status === 'RUNNING')
        next.set(lane, { ...item, attempts: row.attempts, call_id: row.call_id, losses: 0, ended: [...ended] });
      else if (row?.id && goesOn) free.push(lane);
      // It may have been the last item of the run: a lane that takes none does not find that out.
      else if (row?.id) tx.addWork(lane.runWork, lane.runId);
    }
    for (const lanes of ofOneRun(free)) {
      const taken = await takeItems(tx, lanes);
      for (const lane of lanes) {
        const item = taken.get(lane.no);
        if (item) next.set(lane, item);
      }
    }
    return next;
  }
}

/**
 * How long a record waits for others. While it waits the lane calls for its other place, so that a quarter of a call is
 * not noticed; a lane of long calls has no other place, and the last items of a run are what its end waits for.
 */
const gatherMs = ({ durationMs, item }: EndedItem): number =>
  durationMs < SHORT_CALL_MS && !item.is_near_end ? Math.min(MAX_GATHER_MS, Math.floor(durationMs / 4)) : 0;

/** The place of a lane among those of all jobs. */
const placeOf = ({ job, no }: Lane): string => `${job.id}/${no}`;

function recorded(record: EndedItem): Recorded {
  const { lane, item, execution } = record;
  const repeat = nextRepeat(item.ended, lane.repeats) ?? 1;
  const ended = [...item.ended, { repeat, status: execution.status, failure_class: execution.failure_class }];
  return { ...record, repeat, ended, status: stateAfter(ended, lane.repeats) };
}

/**
 * Writes attempts and the states of their items, by place; a place whose job another worker has claimed in the meantime
 * has no row in the result.
 */
async function insert(tx: Tx, records: readonly Recorded[]): Promise<Map<string, Written>> {
  const rows = await tx.query<Written>(
    `WITH given AS (
       SELECT * FROM unnest($2::int[], $3::int[], $4::uuid[], $5::text[], $6::text[], $7::boolean[], $8::text[], $9::text[],
         $10::int[], $11::text[], $12::text[], $13::text[], $14::text[], $15::int[], $16::bigint[], $17::bigint[], $18::bigint[], $19::text[])
         u(item, lane, call_id, status, item_class, shows, code, message, repeat, result, class, output, source_ref, duration,
           started, job, fence, usage)),
     held AS MATERIALIZED (${tx.heldSql('given')}),
     item AS (
       UPDATE "test-runs".run_items i SET attempts = i.attempts + 1, status = u.status, losses = 0, failure_class = u.item_class,
         error_code = CASE WHEN u.shows THEN u.code ELSE i.error_code END,
         error_message = CASE WHEN u.shows THEN u.message ELSE i.error_message END,
         lane = CASE WHEN u.status = 'RUNNING' THEN i.lane END,
         call_id = CASE WHEN u.status = 'RUNNING' THEN gen_random_uuid() END,
         started_at = CASE WHEN i.attempts = 0 THEN u.started ELSE i.started_at END,
         completed_at = CASE WHEN u.status <> 'RUNNING' THEN ${NOW_MS} END, date_updated = ${NOW_MS}
       FROM given u JOIN held h ON h.id = u.job
       WHERE i.company_id = $1 AND i.id = u.item AND i.status = 'RUNNING' AND i.lane = u.lane AND i.call_id = u.call_id
       RETURNING i.company_id, i.id, i.run_id, i.attempts, i.call_id),
     attempt AS (
       INSERT INTO "test-runs".run_attempts (company_id, run_id, run_item_id, attempt, repeat, status, failure_class,
         error_code, error_message, actual_output, source_ref, duration_ms, started_at, completed_at, usage)
       SELECT item.company_id, item.run_id, item.id, item.attempts, u.repeat, u.result, u.class, u.code, u.message,
         u.output::json, u.source_ref::json, u.duration, u.started, u.started + u.duration, u.usage::json
       FROM item JOIN given u ON u.item = item.id)
     SELECT u.job, u.lane, item.id, item.attempts, item.call_id FROM held h JOIN given u ON u.job = h.id LEFT JOIN item ON item.id = u.item`,
    [tx.companyId, ...columnsOf(records)],
  );
  return new Map(rows.map((row) => [`${row.job}/${row.lane}`, row]));
}

/** The values of the records, column by column. */
function columnsOf(records: readonly Recorded[]): unknown[][] {
  return [
    records.map(({ item }) => item.id),
    records.map(({ lane }) => lane.no),
    records.map(({ item }) => item.call_id),
    records.map(({ status }) => status),
    records.map((record) => (record.status === 'FAILED' ? (failureOf(record)?.failure_class ?? null) : null)),
    records.map(isShown),
    records.map(({ execution }) => execution.error_code),
    records.map(({ execution }) => execution.error_message),
    records.map(({ repeat }) => repeat),
    records.map(({ execution }) => execution.status),
    records.map(({ execution }) => execution.failure_class),
    records.map(({ execution }) => execution.output && JSON.stringify(execution.output)),
    records.map(({ execution }) => execution.source_ref && JSON.stringify(execution.source_ref)),
    records.map(({ durationMs }) => durationMs),
    records.map(({ startedAt }) => startedAt),
    records.map(({ lane }) => lane.job.id),
    records.map(({ lane }) => lane.job.fence),
    records.map(({ execution }) => execution.usage && JSON.stringify(execution.usage)),
  ];
}

const failureOf = ({ ended }: Recorded): EndedRepeat | undefined => ended.find(({ status }) => status === 'FAILED');

/** The item shows the first failure of its repeats, or why a completed one has no output. */
function isShown(record: Recorded): boolean {
  const failure = failureOf(record);
  return failure ? failure.repeat === record.repeat : record.execution.error_message !== null;
}
