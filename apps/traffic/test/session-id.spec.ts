import { newSessionId } from '../src/sessions/session-id.js';

describe('the id of a new session', () => {
  it('is a uuid of version 4 in its form', () => {
    expect(newSessionId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('sorts after all earlier ids, however many are made at once, and also when the clock is set back', () => {
    const now = Date.now() + 10_000;
    const ids = Array.from({ length: 10_000 }, (_, n) => newSessionId(n % 100 === 0 ? now - 5000 : now));
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
