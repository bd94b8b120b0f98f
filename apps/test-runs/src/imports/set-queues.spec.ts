import { SetQueues } from './set-queues.js';

const later = (): { promise: Promise<void>; resolve: () => void; reject: (error: Error) => void } => {
  let settle = { resolve: (): void => undefined, reject: (_: Error): void => undefined };
  const promise = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
  return { promise, ...settle };
};

describe('the queue of a set', () => {
  it('starts work when the work before it has ended, whether it failed or not', async () => {
    const queues = new SetQueues();
    const first = later();
    const started: number[] = [];
    const work = (n: number, wait: Promise<void> = Promise.resolve()) =>
      queues.run(1, 7, async () => {
        started.push(n);
        await wait;
        return n;
      });
    const all = [work(1, first.promise), work(2), work(3)];
    await queues.run(1, 8, () => Promise.resolve());
    await queues.run(2, 7, () => Promise.resolve());
    expect(started).toEqual([1]);
    first.reject(new Error('failed'));
    const [failed, ...rest] = await Promise.allSettled(all);
    expect(failed?.status).toBe('rejected');
    expect(rest).toEqual([2, 3].map((value) => ({ status: 'fulfilled', value })));
    expect(started).toEqual([1, 2, 3]);
  });
});
