import { createHmac } from 'node:crypto';
import { hmacOf, hmacState } from './hmac-state.js';

const texts = ['', 'a', 'x'.repeat(51), 'x'.repeat(55), 'x'.repeat(56), 'é'.repeat(200)];

describe('the state of an HMAC after its key', () => {
  it.each([1, 32, 48, 63, 64, 65, 75, 300])('computes what the key of %d bytes computes', (length) => {
    const key = Array.from({ length }, (_, i) => String.fromCharCode(33 + ((i * 37 + length) % 90))).join('');
    for (const text of texts)
      expect(hmacOf(hmacState(key), text)).toEqual(createHmac('sha256', key).update(text).digest());
  });

  it('does not show the key', () => {
    const key = 'm'.repeat(48);
    const state = hmacState(key);
    expect(state).toHaveLength(64);
    expect(state.includes(key.slice(0, 4))).toBe(false);
    expect(state.equals(hmacState(`${key}0`))).toBe(false);
  });
});
