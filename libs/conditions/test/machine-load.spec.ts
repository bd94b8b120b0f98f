import { availableParallelism } from 'node:os';
import { MachineLoad } from '../src/threads/machine-load.js';

/** Keeps one processor busy. */
function compute(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe('the load of the machine', () => {
  it('is the share of all processors that is used, without the own part', () => {
    const load = new MachineLoad();
    compute(400);
    const used = load.shareWithout(0);
    // The kernel counts in steps of 10 ms.
    expect(used).toBeGreaterThan(0.7 / availableParallelism());
    expect(used).toBeLessThanOrEqual(1);
    compute(400);
    expect(load.shareWithout(1_000_000)).toBe(0);
  });

  it('is none between two calls without time in between', () => {
    const load = new MachineLoad();
    load.shareWithout(0);
    expect(load.shareWithout(0)).toBeGreaterThanOrEqual(0);
  });
});
