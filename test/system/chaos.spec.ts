import { runTaskChaos, SETTLE_MS } from '@signalbox/testing';

describe('agent tasks under blows', () => {
  // The long run is `node libs/testing/dist/src/chaos/run.js --seed N --tasks 200 --kills 40`.
  it('loses none and does none twice', async () => {
    const report = await runTaskChaos({ seed: 11, tasks: 16, kills: 6 });
    expect(report.faults).toEqual([]);
    expect(report.settledMs).toBeLessThan(SETTLE_MS);
    expect(report.blows).toHaveLength(7);
    expect(Object.values(report.outcomes).reduce((sum, count) => sum + count, 0)).toBe(16);
  }, 150_000);
});
