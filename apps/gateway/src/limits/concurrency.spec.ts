import { Concurrency } from './concurrency.js';

describe('the cap on slow calls', () => {
  it('refuses a key above it with 429, lets other keys through, and gives a place away again', () => {
    const cap = new Concurrency(1);
    cap.enter(1);
    expect(() => cap.enter(1)).toThrow(expect.objectContaining({ status: 429, extras: { retryAfter: 1 } }));
    cap.enter(2);
    cap.leave(1);
    cap.enter(1);
    expect(() => cap.enter(2)).toThrow('1 calls running');
  });
});
