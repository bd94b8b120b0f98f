import { Continuity } from './continuity.js';

function observed() {
  let now = 0;
  const continuity = new Continuity(10, () => now);
  return {
    continuity,
    success: (at: number) => {
      now = at;
      continuity.succeeded();
    },
    failure: (at: number) => {
      now = at;
      continuity.failed();
    },
    at: (time: number) => (now = time),
  };
}

describe('the continuity of an observer', () => {
  it('does not hold before it has observed for long enough', () => {
    const { continuity, success } = observed();
    expect(continuity.holds(0)).toBe(false);
    success(0);
    expect(continuity.holds(5)).toBe(false);
    success(5);
    expect([continuity.holds(5), continuity.holds(6)]).toEqual([true, false]);
  });

  it('restarts after a failure', () => {
    const { continuity, success, failure } = observed();
    success(0);
    success(9);
    failure(12);
    expect(continuity.holds(0)).toBe(false);
    success(14);
    success(20);
    expect([continuity.holds(6), continuity.holds(7)]).toEqual([true, false]);
    expect([continuity.brokenAfter(13), continuity.brokenAfter(14)]).toEqual([true, false]);
  });

  it('restarts when the observer itself was paused', () => {
    const { continuity, success, at } = observed();
    success(0);
    success(8);
    at(60);
    expect(continuity.holds(1)).toBe(false);
    expect(continuity.brokenAfter(20)).toBe(true);
    success(60);
    expect(continuity.holds(1)).toBe(false);
    success(65);
    expect(continuity.holds(5)).toBe(true);
  });
});
