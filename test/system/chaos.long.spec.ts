import { runFamilyChaos, runTaskChaos, SETTLE_MS } from '@signalbox/testing';

// The short form, in `npm test`, is chaos.spec.ts.
describe('agent tasks under many faults', () => {
  it('lose nothing over 40 kills and a worker that is stopped past its lease', async () => {
    const report = await runTaskChaos({ seed: 7, tasks: 200, kills: 40, freezeMs: 35_000 });
    expect(report.faults).toEqual([]);
    expect(report.settledMs).toBeLessThan(SETTLE_MS);
    expect(Object.values(report.outcomes).reduce((sum, count) => sum + count, 0)).toBe(200);
  }, 400_000);
});

describe('families of agents under many faults', () => {
  it('lose nothing over 25 kills of every process', async () => {
    const report = await runFamilyChaos({ seed: 53, tasks: 150, kills: 25 });
    expect(report.faults).toEqual([]);
    expect(report.settledMs).toBeLessThan(SETTLE_MS);
    expect(report.counts).toMatchObject({ families: 150 });
  }, 400_000);
});
