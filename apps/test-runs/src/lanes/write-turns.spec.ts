import { WriteTurns } from './write-turns.js';

describe('turns of writes', () => {
  it('let only some run at once, in order', async () => {
    const turns = new WriteTurns(2);
    const ends: (() => void)[] = [];
    const begun: number[] = [];
    const all = [0, 1, 2, 3].map((at) =>
      turns.run(async () => {
        begun.push(at);
        await new Promise<void>((resolve) => ends.push(resolve));
        return at;
      }),
    );
    expect(begun).toEqual([0, 1]);
    ends[1]?.();
    await all[1];
    await new Promise(setImmediate);
    expect(begun).toEqual([0, 1, 2]);
    ends[0]?.();
    await all[0];
    await new Promise(setImmediate);
    expect(begun).toEqual([0, 1, 2, 3]);
    ends.forEach((end) => end());
    expect(await Promise.all(all)).toEqual([0, 1, 2, 3]);
  });

  it('pass on after a write that fails', async () => {
    const turns = new WriteTurns(1);
    const failed = turns.run(() => Promise.reject(new Error('no')));
    const next = turns.run(() => Promise.resolve('yes'));
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('yes');
    expect(await turns.run(() => Promise.resolve('free'))).toBe('free');
  });
});
