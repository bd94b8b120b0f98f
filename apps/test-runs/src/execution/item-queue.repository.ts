import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '@signalbox/database';
import { FenceLost, type Job } from '@signalbox/platform';
import type { ItemResult } from '../consumers/index.js';
import { CANCEL_WORK, RUN_WORK } from '../run-records/index.js';
import { recordResults } from './ended-items.js';
import { DROP_SECRETS, FAIL_OPEN_ITEMS, PUT_BACK, TAKE_LEFT, TAKE_PENDING } from './item-queue.sql.js';
import type { ItemSlot, SlotWrite, TakenItem, WriteOf } from './item-slot.js';

/** The next item of the slot, or why this write alone was refused. */
export type WriteResult = { item: TakenItem | null } | { refused: Error };

type TakenRow = TakenItem & { lane: number };

/**
 * Items in the order of their positions. An item is RUNNING in one slot (column `lane`), and every write is fenced by
 * the job of its slot: a run never has more concurrent calls than jobs, whatever processes work on it.
 */
@Injectable()
export class ItemQueue {
  constructor(private readonly db: Database) {}

  /** Results are in the order of the writes. */
  write(companyId: number, writes: readonly SlotWrite[]): Promise<WriteResult[]> {
    return this.db.withCompany({ companyId }, async (tx) => {
      const isHeld = await heldJobs(tx, writes);
      const held = writes.filter(({ slot }) => isHeld(slot.job));
      await putBack(tx, ofKind(held, 'putBack'));
      const items = new Map<ItemSlot, TakenItem>();
      const free: ItemSlot[] = [];
      const starts = ofKind(held, 'start');
      for (const slots of byRun(starts.map(({ slot }) => slot))) await this.takeLeft(tx, slots, items);
      for (const { slot, onlyLeft } of starts) if (!onlyLeft && !items.has(slot)) free.push(slot);
      for (const { slot, next, takesNext } of await recordResults(tx, ofKind(held, 'record'))) {
        if (next) items.set(slot, next);
        else if (takesNext) free.push(slot);
        // It may have been the last item of the run: a slot that takes no item does not find that out.
        else tx.addWork(slot.runWork, slot.runId);
      }
      for (const slots of byRun(free)) await this.takePending(tx, slots, items);
      return writes.map(({ slot }) =>
        isHeld(slot.job) ? { item: items.get(slot) ?? null } : { refused: new FenceLost() },
      );
    });
  }

  /** The one process that could execute the items, with their secrets, is gone; what they have started is cancelled. */
  failOpenItems({ job, runId, runWork }: ItemSlot, why: ItemResult): Promise<void> {
    return this.fenced(job, async (tx) => {
      const { failure_class, error_code, error_message } = why;
      const values = [tx.companyId, runId, failure_class, error_code, error_message, runWork];
      const failed = await tx.query<{ call_id: string | null }>(FAIL_OPEN_ITEMS, values);
      if (failed.some(({ call_id }) => call_id !== null)) tx.addWork(CANCEL_WORK, runId);
      await tx.query(DROP_SECRETS, [tx.companyId, runId, RUN_WORK, runWork]);
    });
  }

  restart(job: Job): Promise<void> {
    return this.fenced(job, (tx) => {
      tx.addWork(job.kind, job.ref);
      return Promise.resolve();
    });
  }

  private async takeLeft(tx: Tx, slots: SlotsOfRun, items: Map<ItemSlot, TakenItem>): Promise<void> {
    const rows = await tx.query<TakenRow>(TAKE_LEFT, [tx.companyId, slots[0].runId, slots.map(({ no }) => no)]);
    assign(slots, rows, items);
  }

  /** A run with fewer pending items than slots may be complete: its conductor finds out. */
  private async takePending(tx: Tx, slots: SlotsOfRun, items: Map<ItemSlot, TakenItem>): Promise<void> {
    const [{ runId, runWork, concurrency }] = slots;
    const values = [tx.companyId, runId, slots.map(({ no }) => no), slots.length, concurrency];
    const rows = await tx.query<TakenRow>(TAKE_PENDING, values);
    if (rows.length < slots.length) tx.addWork(runWork, runId);
    assign(slots, rows, items);
  }

  private fenced(job: Job, work: (tx: Tx) => Promise<void>): Promise<void> {
    return this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      await work(tx);
    });
  }
}

/** In the order of their ids, against deadlocks; the result tells whether the worker still holds a job. */
async function heldJobs(tx: Tx, writes: readonly SlotWrite[]): Promise<(job: Job) => boolean> {
  const newest = new Map<number, Job>();
  for (const { job } of writes.map(({ slot }) => slot))
    if (job.fence >= (newest.get(job.id)?.fence ?? 0)) newest.set(job.id, job);
  const held = await tx.heldFences([...newest.values()].sort((one, other) => one.id - other.id));
  return ({ id, fence }) => held.has(id) && newest.get(id)?.fence === fence;
}

async function putBack(tx: Tx, writes: readonly WriteOf<'putBack'>[]): Promise<void> {
  if (writes.length === 0) return;
  await tx.query(PUT_BACK, [tx.companyId, writes.map(({ item }) => item.id), writes.map(({ slot }) => slot.no)]);
}

const ofKind = <K extends SlotWrite['kind']>(writes: readonly SlotWrite[], kind: K): WriteOf<K>[] =>
  writes.filter((write): write is WriteOf<K> => write.kind === kind);

type SlotsOfRun = readonly [ItemSlot, ...ItemSlot[]];

function byRun(slots: readonly ItemSlot[]): SlotsOfRun[] {
  const runs = new Map<string, [ItemSlot, ...ItemSlot[]]>();
  for (const slot of slots) {
    const same = runs.get(slot.runId);
    if (same) same.push(slot);
    else runs.set(slot.runId, [slot]);
  }
  return [...runs.values()];
}

function assign(slots: SlotsOfRun, rows: readonly TakenRow[], items: Map<ItemSlot, TakenItem>): void {
  const taken = new Map(rows.map(({ lane, ...item }) => [lane, item]));
  for (const slot of slots) {
    const item = taken.get(slot.no);
    if (item) items.set(slot, item);
  }
}
