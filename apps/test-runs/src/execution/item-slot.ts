import type { Job } from '@signalbox/platform';
import type { EndedRepeat } from '../run-records/index.js';
import type { ItemResult } from '../consumers/index.js';

/** Each job of a run has two slots and makes one call at a time. */
export interface ItemSlot {
  job: Job;
  runId: string;
  /** Unique within the run: the number of the job; for its second slot, plus the concurrency of the run. */
  no: number;
  runWork: string;
  repeats: number;
  /** The number of jobs of the run. */
  concurrency: number;
}

export interface TakenItem {
  id: number;
  test_set_item_id: number;
  is_near_end: boolean;
  adapted_input: Record<string, unknown>;
  attempts: number;
  call_id: string;
  losses: number;
  /** Only the repeats that count. */
  ended: EndedRepeat[];
}

/** The result of a call, with when it was made. */
export interface TimedResult {
  result: ItemResult;
  /** Epoch ms. */
  startedAt: number;
  durationMs: number;
}

export type SlotWrite = { slot: ItemSlot } & (
  | /** Takes the item that a lost worker has left in the slot, else a pending one unless `onlyLeft`. */
    { kind: 'start'; onlyLeft: boolean }
  | { kind: 'record'; item: TakenItem; call: TimedResult; takesNext: boolean } /** The item is pending again. */
  | { kind: 'putBack'; item: TakenItem }
);

export type WriteOf<K extends SlotWrite['kind']> = Extract<SlotWrite, { kind: K }>;
