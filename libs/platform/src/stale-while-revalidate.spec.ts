import { ApiError, notFound } from '@signalbox/contracts';
import { StaleWhileRevalidateCache } from './stale-while-revalidate.js';

const away = () => Promise.reject(new ApiError('unavailable', 'away'));
const realNow = Date.now;
function later(ms: number): void {
  const then = Date.now() + ms;
  Date.now = () => then;
}
afterEach(() => void (Date.now = realNow));

describe('what was last read', () => {
  it('is not read again for five seconds, then again', async () => {
    const known = new StaleWhileRevalidateCache<number>();
    expect(await known.get(1, 'a', () => Promise.resolve(1))).toBe(1);
    expect(await known.get(1, 'a', () => Promise.resolve(2))).toBe(1);
    expect(await known.get(2, 'a', () => Promise.resolve(3))).toBe(3);
    later(5001);
    expect(await known.get(1, 'a', () => Promise.resolve(2))).toBe(2);
  });

  it('serves on while its source is away or slow, and is gone when the thing is gone', async () => {
    const known = new StaleWhileRevalidateCache<number>();
    await known.get(1, 'a', () => Promise.resolve(1));
    later(5001);
    expect(await known.get(1, 'a', away)).toBe(1);
    later(1001);
    expect(await known.get(1, 'a', () => new Promise(() => undefined))).toBe(1);
    await known.get(1, 'b', () => Promise.resolve(1));
    later(5001);
    await expect(known.get(1, 'b', () => Promise.reject(notFound('b')))).rejects.toThrow('not found');
    await expect(known.get(1, 'b', away)).rejects.toThrow('away');
  });

  it('cannot be revived by a read that began before it was forgotten', async () => {
    const known = new StaleWhileRevalidateCache<number>();
    let finish: (value: number) => void = () => undefined;
    const old = known.get(1, 'a', () => new Promise((resolve) => (finish = resolve)));
    known.forget(1);
    finish(1);
    expect(await old).toBe(1);
    expect(await known.get(1, 'a', () => Promise.resolve(2))).toBe(2);
  });
});
