import { runTaskChaos, SETTLE_MS } from '@signalbox/testing';

describe('agent tasks under blows', () => {
  // A model call in flight to a killed traffic waits for its own deadline of 150 s, far beyond a spec: the long run,
  // `node libs/testing/dist/src/chaos/run.js`, kills traffic too.
  it('loses none and does none twice', async () => {
    const report = await runTaskChaos({
      seed: 11,
      tasks: 16,
      kills: 4,
      victims: ['gateway', 'accounts', 'agents', 'agents 2', 'nats', 'postgres'],
    });
    expect(report.faults).toEqual([]);
    expect(report.settledMs).toBeLessThan(SETTLE_MS);
    expect(report.blows).toHaveLength(5);
    expect(Object.values(report.outcomes).reduce((sum, count) => sum + count, 0)).toBe(16);
  }, 150_000);
});
