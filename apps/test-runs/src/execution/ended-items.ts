import type { Tx } from '@signalbox/database';
import { type EndedRepeat, nextRepeat, stateAfter } from '../run-records/index.js';
import { RECORD_RESULTS } from './item-queue.sql.js';
import type { ItemSlot, TakenItem, WriteOf } from './item-slot.js';

interface EndedItem extends WriteOf<'record'> {
  repeat: number;
  ended: EndedRepeat[];
  status: string;
}

/** `next` is the item for its next repeat, or null. */
export interface FreedSlot {
  slot: ItemSlot;
  next: TakenItem | null;
  takesNext: boolean;
}

/** Slots whose item was cancelled, reset or deleted meanwhile are left out. */
export async function recordResults(tx: Tx, writes: readonly WriteOf<'record'>[]): Promise<FreedSlot[]> {
  if (writes.length === 0) return [];
  const items = writes.map(endedItem);
  const rows = await tx.query<Pick<TakenItem, 'id' | 'attempts' | 'call_id'>>(RECORD_RESULTS, [
    tx.companyId,
    ...columnsOf(items),
  ]);
  const written = new Map(rows.map((row) => [row.id, row]));
  return items.flatMap(({ slot, item, ended, status, takesNext }) => {
    const row = written.get(item.id);
    return row ? [{ slot, takesNext, next: status === 'RUNNING' ? { ...item, ...row, losses: 0, ended } : null }] : [];
  });
}

function endedItem(write: WriteOf<'record'>): EndedItem {
  const { slot, item, call } = write;
  const { status, failure_class } = call.result;
  const repeat = nextRepeat(item.ended, slot.repeats) ?? 1;
  const ended = [...item.ended, { repeat, status, failure_class }];
  return { ...write, repeat, ended, status: stateAfter(ended, slot.repeats) };
}

const json = (value: object | null): string | null => value && JSON.stringify(value);

function columnsOf(items: readonly EndedItem[]): unknown[][] {
  return [
    items.map(({ item }) => item.id),
    items.map(({ slot }) => slot.no),
    items.map(({ item }) => item.call_id),
    items.map(({ status }) => status),
    items.map((item) => (item.status === 'FAILED' ? (failureOf(item)?.failure_class ?? null) : null)),
    items.map(isShown),
    items.map(({ call }) => call.result.error_code),
    items.map(({ call }) => call.result.error_message),
    items.map(({ repeat }) => repeat),
    items.map(({ call }) => call.result.status),
    items.map(({ call }) => call.result.failure_class),
    items.map(({ call }) => json(call.result.output)),
    items.map(({ call }) => json(call.result.source_ref)),
    items.map(({ call }) => call.durationMs),
    items.map(({ call }) => call.startedAt),
    items.map(({ call }) => json(call.result.usage)),
  ];
}

const failureOf = ({ ended }: EndedItem): EndedRepeat | undefined => ended.find(({ status }) => status === 'FAILED');

/** The item shows the first failure of its repeats, or why a completed one has no output. */
function isShown(item: EndedItem): boolean {
  const failure = failureOf(item);
  return failure ? failure.repeat === item.repeat : item.call.result.error_message !== null;
}
