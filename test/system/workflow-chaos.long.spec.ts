import { runWorkflowChaos, SETTLE_MS } from '@signalbox/testing';

// The short form, in `npm test`, is workflow-chaos.spec.ts.
describe('workflows with nested runs under many faults', () => {
  it('lose none of 300 runs over 40 kills of every process, those of scripts included', async () => {
    const report = await runWorkflowChaos({ seed: 62, tasks: 300, kills: 40 });
    expect(report.faults).toEqual([]);
    expect(report.settledMs).toBeLessThan(SETTLE_MS);
    expect(Object.values(report.outcomes).reduce((sum, count) => sum + count, 0)).toBe(300);
  }, 1_200_000);
});
