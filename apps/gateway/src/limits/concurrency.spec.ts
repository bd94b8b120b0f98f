import { Concurrency } from './concurrency.js';

describe('the number of slow calls', () => {
  it('is bounded for each key on its own', () => {
    const calls = new Concurrency({ perKey: 2, total: 10 });
    calls.enter(1);
    calls.enter(1);
    expect(() => calls.enter(1)).toThrow('the key has 2 calls running');
    calls.enter(2);
    calls.leave(1);
    calls.enter(1);
  });

  it('is bounded for all keys together, and a refused call counts for nothing', () => {
    const calls = new Concurrency({ perKey: 2, total: 3 });
    for (const key of [1, 1, 2]) calls.enter(key);
    expect(() => calls.enter(3)).toThrow('too many long calls are running');
    calls.leave(1);
    calls.enter(3);
    calls.leave(2);
    calls.enter(3);
  });
});
