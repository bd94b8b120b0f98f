import { ApiError } from '@signalbox/contracts';
import type { WriteResult } from '../src/execution/item-queue.repository.js';
import type { ItemSlot, SlotWrite, TakenItem, TimedResult } from '../src/execution/item-slot.js';
import { ResultBatcher } from '../src/execution/result-batcher.js';

const itemOf = (id: number): TakenItem => ({ id }) as TakenItem;
const GONE = 7;
const BAD = 8;
const DOWN = 9;

/** A batcher over a queue whose transactions end when the test says so; the number of a slot says what happens to it. */
function world() {
  const performed: { companyId: number; slots: number[]; commit(): void }[] = [];
  const write = async (companyId: number, writes: readonly SlotWrite[]): Promise<WriteResult[]> => {
    const slots = writes.map(({ slot }) => slot.no);
    await new Promise<void>((commit) => performed.push({ companyId, slots, commit }));
    if (slots.includes(DOWN)) throw new ApiError('unavailable', 'the database is down');
    if (slots.includes(BAD)) throw new Error('the value cannot be stored');
    return slots.map((no) => (no === GONE ? { refused: new Error('gone') } : { item: itemOf(no) }));
  };
  const batcher = new ResultBatcher({ write });
  const start = (companyId: number, no: number): Promise<number | undefined> =>
    batcher.start({ no, job: { companyId } } as ItemSlot, false).then((item) => item?.id);
  const record = (companyId: number, no: number, durationMs: number): Promise<number | undefined> =>
    batcher
      .record({ no, job: { companyId } } as ItemSlot, itemOf(no), { durationMs } as TimedResult, true)
      .then((item) => item?.id);
  const next = async (at: number) => {
    while (!performed[at]) await new Promise(setImmediate);
    return performed[at];
  };
  return { start, record, performed, next };
}

describe('the writes of slots', () => {
  it('share a transaction when they arrive in one turn, or during the one before', async () => {
    const { start, performed, next } = world();
    const results = [start(1, 1), start(1, 2)];
    const first = await next(0);
    results.push(start(1, 3), start(1, 4), start(1, 5));
    first.commit();
    (await next(1)).commit();
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4, 5]);
    expect(performed.map(({ slots }) => slots)).toEqual([
      [1, 2],
      [3, 4, 5],
    ]);
  });

  it('never share one with those of another company', async () => {
    const { start, performed, next } = world();
    const results = [start(1, 1), start(2, 2)];
    (await next(0)).commit();
    (await next(1)).commit();
    expect(await Promise.all(results)).toEqual([1, 2]);
    expect(performed.map(({ companyId, slots }) => [companyId, slots])).toEqual([
      [1, [1]],
      [2, [2]],
    ]);
  });

  it('are refused one by one', async () => {
    const { start, next } = world();
    const results = Promise.allSettled([start(1, 1), start(1, GONE)]);
    (await next(0)).commit();
    expect(await results).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: new Error('gone') },
    ]);
  });

  it('are performed alone after a failure, so that only the bad one fails', async () => {
    const { start, performed, next } = world();
    const results = Promise.allSettled([start(1, 1), start(1, BAD), start(1, 3)]);
    for (let at = 0; at < 4; at++) (await next(at)).commit();
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(performed.map(({ slots }) => slots)).toEqual([[1, BAD, 3], [1], [BAD], [3]]);
  });

  it('fail at once while the database is down, without a try for each', async () => {
    const { start, performed, next } = world();
    const results = Promise.allSettled([start(1, 1), start(1, DOWN)]);
    (await next(0)).commit();
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(performed).toHaveLength(1);
  });

  it('wait for others for a quarter of their call', async () => {
    const { record, next } = world();
    const began = performance.now();
    const result = record(1, 1, 40);
    const batch = await next(0);
    expect(performance.now() - began).toBeGreaterThan(8);
    batch.commit();
    expect(await result).toBe(1);
  });

  it('begin again after there were none', async () => {
    const { start, next } = world();
    const first = start(1, 1);
    (await next(0)).commit();
    expect(await first).toBe(1);
    const second = start(1, 2);
    (await next(1)).commit();
    expect(await second).toBe(2);
  });
});
