import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import { SHORT_CALL_MS } from './call-pipeline.js';
import { ItemQueue, type WriteResult } from './item-queue.repository.js';
import type { TimedResult, ItemSlot, SlotWrite, TakenItem } from './item-slot.js';

interface QueuedWrite {
  write: SlotWrite;
  /** How long it may wait for others, on the clock of `performance.now()`. */
  until: number;
  resolve(item: TakenItem | null): void;
  reject(error: unknown): void;
}

const MAX_BATCH = 64;
const MAX_GATHER_MS = 15;

/**
 * A quarter of the call, while the call of the other slot is running. None after a long call, nor at the end of a run,
 * which waits for its last results.
 */
const batchWindowMs = ({ durationMs }: TimedResult, { is_near_end }: TakenItem): number =>
  durationMs < SHORT_CALL_MS && !is_near_end ? Math.min(MAX_GATHER_MS, durationMs / 4) : 0;

/**
 * Joins the writes of the slots of a company into one transaction: what arrives during a commit goes into the next.
 * With one slot nothing waits; with a hundred, a commit is shared by all that arrived, so a process has at most one
 * such transaction open per company.
 *
 * When a batch fails, each of its writes is performed alone, so that only the bad one fails; all fail when the database
 * is down.
 */
@Injectable()
export class ResultBatcher {
  private readonly queues = new Map<number, QueuedWrite[]>();

  constructor(@Inject(ItemQueue) private readonly items: Pick<ItemQueue, 'write'>) {}

  /** The item that a lost worker left in the slot, else a pending one unless `onlyLeft`; null when there is none. */
  start(slot: ItemSlot, onlyLeft: boolean): Promise<TakenItem | null> {
    return this.add({ kind: 'start', slot, onlyLeft });
  }

  /** Returns the next item of the slot: the same for its next repeat, else a pending one if `takesNext`. */
  record(slot: ItemSlot, item: TakenItem, call: TimedResult, takesNext: boolean): Promise<TakenItem | null> {
    return this.add({ kind: 'record', slot, item, call, takesNext }, batchWindowMs(call, item));
  }

  async putBack(slot: ItemSlot, item: TakenItem): Promise<void> {
    await this.add({ kind: 'putBack', slot, item });
  }

  private add(write: SlotWrite, mayWaitMs = 0): Promise<TakenItem | null> {
    const { companyId } = write.slot.job;
    const until = performance.now() + mayWaitMs;
    return new Promise((resolve, reject) => {
      const queue = this.queues.get(companyId);
      if (queue) {
        queue.push({ write, until, resolve, reject });
        return;
      }
      this.queues.set(companyId, [{ write, until, resolve, reject }]);
      // Calls that end in this turn of the event loop share the write.
      setImmediate(() => void this.drain(companyId));
    });
  }

  private async drain(companyId: number): Promise<void> {
    const queue = this.queues.get(companyId) ?? [];
    while (queue.length > 0) {
      const waitMs = Math.min(...queue.map(({ until }) => until)) - performance.now();
      if (waitMs >= 1 && queue.length < MAX_BATCH) await pause(waitMs);
      await this.perform(companyId, queue.splice(0, MAX_BATCH));
    }
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
