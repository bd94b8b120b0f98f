import { CallsInFlight } from './calls-in-flight.js';

describe('the calls in flight of a service', () => {
  it('are limited at each depth of nested calls, so that those that wait let those pass that they wait for', () => {
    const calls = new CallsInFlight(2);
    expect([0, 0, 0, 1, 1, 1, 99].map((depth) => calls.begin(depth))).toEqual([
      ...[true, true, false],
      ...[true, true, false],
      true,
    ]);
    expect(calls.all).toBe(7);
    calls.end(1);
    calls.end(1);
    expect([calls.begin(1), calls.begin(0), calls.all]).toEqual([true, false, 7]);
  });
});
