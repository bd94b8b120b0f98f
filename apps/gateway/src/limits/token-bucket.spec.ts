import { TokenBuckets } from './token-bucket.js';

describe('token buckets', () => {
  it('allow one second of requests at once, then refuse', () => {
    const buckets = new TokenBuckets(3);
    expect([1, 2, 3, 4].map(() => buckets.take('a', 0).allowed)).toEqual([true, true, true, false]);
    expect(buckets.take('a', 0)).toEqual({ limit: 3, remaining: 0, reset: 1, allowed: false });
  });

  it('fill up with time, never above the rate', () => {
    const buckets = new TokenBuckets(2);
    for (let at = 0; at < 3; at++) buckets.take('a', 0);
    expect(buckets.take('a', 499).allowed).toBe(false);
    expect(buckets.take('a', 500).allowed).toBe(true);
    expect(buckets.take('a', 60_000)).toMatchObject({ allowed: true, remaining: 1 });
  });

  it('are separate for each name and survive a clock that steps back', () => {
    const buckets = new TokenBuckets(1);
    expect(buckets.take('a', 1000).allowed).toBe(true);
    expect(buckets.take('b', 1000).allowed).toBe(true);
    expect(buckets.take('a', 0).allowed).toBe(false);
  });

  it('keep a bounded number of names, those in use', () => {
    const buckets = new TokenBuckets(1);
    buckets.take('idle', 0);
    buckets.take('busy', 0);
    for (let at = 0; at < 20_000; at++) {
      buckets.take(`key ${at}`, 0);
      if (at % 1000 === 0) expect(buckets.take('busy', 0).allowed).toBe(false);
    }
    expect([buckets.take('busy', 0).allowed, buckets.take('idle', 0).allowed]).toEqual([false, true]);
  });

  it('takes several tokens or none', () => {
    const buckets = new TokenBuckets(20);
    expect([1, 2, 3].map(() => buckets.take('a', 0, 8).allowed)).toEqual([true, true, false]);
    expect(buckets.take('a', 0)).toMatchObject({ allowed: true, remaining: 3 });
  });

  it('returns a token that was not needed, never above the limit', () => {
    const buckets = new TokenBuckets(1);
    expect(buckets.take('a', 0).allowed).toBe(true);
    buckets.refund('a');
    buckets.refund('a');
    expect([buckets.take('a', 0).allowed, buckets.take('a', 0).allowed]).toEqual([true, false]);
  });

  it('lets a share of less than one a second through, one after the other', () => {
    const buckets = new TokenBuckets(0.5);
    expect(buckets.take('a', 0)).toEqual({ limit: 1, remaining: 0, reset: 2, allowed: true });
    expect([buckets.take('a', 1900).allowed, buckets.take('a', 2000).allowed]).toEqual([false, true]);
  });
});
