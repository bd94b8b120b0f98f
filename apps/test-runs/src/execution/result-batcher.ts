import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import { ItemQueue, type WriteResult } from './item-queue.repository.js';
import type { TimedResult, ItemSlot, SlotWrite, TakenItem } from './item-slot.js';

/** A write that waits for its transaction. */
interface QueuedWrite {
  write: SlotWrite;
  resolve(item: TakenItem | null): void;
  reject(error: unknown): void;
}

/** Most writes of one transaction. */
const MAX_BATCH = 64;

/**
 * Joins the writes of the slots of a company into one transaction: what arrives while one is being committed goes into
 * the next. With one slot nothing waits; with a hundred, a commit is shared by as many as arrived. So a process has at
 * most one such transaction open for each company.
 *
 * When a batch fails, each of its writes is performed alone, so that only the bad one fails; all of them fail when the
 * database is down.
 */
@Injectable()
export class ResultBatcher {
  private readonly queues = new Map<number, QueuedWrite[]>();

  constructor(@Inject(ItemQueue) private readonly items: Pick<ItemQueue, 'write'>) {}

  /** Takes the item that a lost worker has left in the slot, else a pending one unless `onlyLeft`; null when there is none. */
  start(slot: ItemSlot, onlyLeft: boolean): Promise<TakenItem | null> {
    return this.add({ kind: 'start', slot, onlyLeft });
  }

  /** Records a result; returns the next item of the slot: the same for its next repeat, else a pending one if `takesNext`. */
  record(slot: ItemSlot, item: TakenItem, call: TimedResult, takesNext: boolean): Promise<TakenItem | null> {
    return this.add({ kind: 'record', slot, item, call, takesNext });
  }

  /** Makes an item pending again. */
  async putBack(slot: ItemSlot, item: TakenItem): Promise<void> {
    await this.add({ kind: 'putBack', slot, item });
  }

  private add(write: SlotWrite): Promise<TakenItem | null> {
    const { companyId } = write.slot.job;
    return new Promise((resolve, reject) => {
      const queue = this.queues.get(companyId);
      if (queue) {
        queue.push({ write, resolve, reject });
        return;
      }
      this.queues.set(companyId, [{ write, resolve, reject }]);
      // Those whose calls have ended in this turn of the event loop come along.
      setImmediate(() => void this.drain(companyId));
    });
  }

  private async drain(companyId: number): Promise<void> {
    const queue = this.queues.get(companyId) ?? [];
    while (queue.length > 0) await this.perform(companyId, queue.splice(0, MAX_BATCH));
    this.queues.delete(companyId);
  }

  private async perform(companyId: number, batch: readonly QueuedWrite[]): Promise<void> {
    let results: WriteResult[];
    try {
      results = await this.items.write(
        companyId,
        batch.map(({ write }) => write),
      );
    } catch (error) {
      const isDown = error instanceof ApiError && error.kind === 'unavailable';
      if (isDown || batch.length === 1) for (const { reject } of batch) reject(error);
      else for (const each of batch) await this.perform(companyId, [each]);
      return;
    }
    batch.forEach(({ resolve, reject }, at) => {
      const result = results[at];
      if (result && 'item' in result) resolve(result.item);
      else reject(result?.refused ?? new Error('a write of a batch has no result'));
    });
  }
}
