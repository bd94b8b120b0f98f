import { ApiError } from '@signalbox/contracts';
import { WriteBatches, type WriteResult } from './write-batches.js';

/** Batches whose transactions end when the test says so; a write `bad` fails its whole transaction. */
function batches() {
  const performed: { companyId: number; writes: readonly string[]; commit(): void }[] = [];
  const joined = new WriteBatches<string, string>(async (companyId, writes) => {
    await new Promise<void>((commit) => performed.push({ companyId, writes, commit }));
    if (writes.includes('away')) throw new ApiError('unavailable', 'the database is down');
    if (writes.includes('bad')) throw new Error('the value cannot be stored');
    return writes.map((write): WriteResult<string> =>
      write === 'lost' ? { refused: new Error('lost') } : { result: write.toUpperCase() },
    );
  });
  const next = async (at: number) => {
    while (!performed[at]) await new Promise(setImmediate);
    return performed[at];
  };
  return { joined, performed, next };
}

describe('batches of writes', () => {
  it('join what arrives in one turn, and what arrives during a transaction', async () => {
    const { joined, performed, next } = batches();
    const results = [joined.add(1, 'a'), joined.add(1, 'b')];
    const first = await next(0);
    results.push(joined.add(1, 'c'), joined.add(1, 'd'), joined.add(1, 'e'));
    first.commit();
    (await next(1)).commit();
    expect(await Promise.all(results)).toEqual(['A', 'B', 'C', 'D', 'E']);
    expect(performed.map(({ writes }) => writes)).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ]);
  });

  it('never join the writes of two companies', async () => {
    const { joined, performed, next } = batches();
    const results = [joined.add(1, 'a'), joined.add(2, 'b')];
    (await next(0)).commit();
    (await next(1)).commit();
    expect(await Promise.all(results)).toEqual(['A', 'B']);
    expect(performed.map(({ companyId, writes }) => [companyId, writes])).toEqual([
      [1, ['a']],
      [2, ['b']],
    ]);
  });

  it('refuse one write and perform the others', async () => {
    const { joined, next } = batches();
    const results = Promise.allSettled([joined.add(1, 'a'), joined.add(1, 'lost')]);
    (await next(0)).commit();
    expect(await results).toEqual([
      { status: 'fulfilled', value: 'A' },
      { status: 'rejected', reason: new Error('lost') },
    ]);
  });

  it('perform each write alone after a failure, so that only the bad one fails', async () => {
    const { joined, performed, next } = batches();
    const results = Promise.allSettled([joined.add(1, 'a'), joined.add(1, 'bad'), joined.add(1, 'c')]);
    for (let at = 0; at < 4; at++) (await next(at)).commit();
    expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(performed.map(({ writes }) => writes)).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  });

  it('fail at once while the database is away, without trying each write', async () => {
    const { joined, performed, next } = batches();
    const results = Promise.allSettled([joined.add(1, 'a'), joined.add(1, 'away')]);
    (await next(0)).commit();
    expect((await results).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(performed).toHaveLength(1);
  });

  it('wait for others as long as all of their writes may', async () => {
    const { joined, performed, next } = batches();
    const results = [joined.add(1, 'a', 20)];
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(performed).toHaveLength(0);
    results.push(joined.add(1, 'b', 20));
    (await next(0)).commit();
    expect(await Promise.all(results)).toEqual(['A', 'B']);
    expect(performed[0]?.writes).toEqual(['a', 'b']);
  });

  it('begin again after they were empty', async () => {
    const { joined, next } = batches();
    const first = joined.add(1, 'a');
    (await next(0)).commit();
    expect(await first).toBe('A');
    const second = joined.add(1, 'b');
    (await next(1)).commit();
    expect(await second).toBe('B');
  });
});
