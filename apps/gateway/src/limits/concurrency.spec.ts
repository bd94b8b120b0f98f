import { Concurrency } from './concurrency.js';

describe('the cap on slow calls', () => {
  it('refuses a key above it with 429, lets other keys through, and frees the place of a call that failed', async () => {
    const cap = new Concurrency(1);
    let fail: (error: Error) => void = () => undefined;
    const first = cap.within(1, () => new Promise((_, reject) => (fail = reject)));
    await expect(cap.within(1, async () => 1)).rejects.toMatchObject({ status: 429, extras: { retryAfter: 1 } });
    await expect(cap.within(2, async () => 2)).resolves.toBe(2);
    fail(new Error('gone'));
    await expect(first).rejects.toThrow('gone');
    await expect(cap.within(1, async () => 3)).resolves.toBe(3);
  });
});
