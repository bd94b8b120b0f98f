import { runWorkflowChaos, SETTLE_MS } from '@signalbox/testing';

// The short form, in `npm test`, is workflow-chaos.spec.ts.
describe('workflows with nested runs under many faults', () => {
  it.each([62, 93])(
    'lose none of 300 runs over 40 kills, of scripts too: seed %i',
    async (seed) => {
      const report = await runWorkflowChaos({ seed, tasks: 300, kills: 40 });
      process.stdout.write(`seed ${seed}: settled in ${report.settledMs} ms, ${JSON.stringify(report.outcomes)}\n`);
      expect(report.faults).toEqual([]);
      expect(report.settledMs).toBeLessThan(SETTLE_MS);
      expect(Object.values(report.outcomes).reduce((sum, count) => sum + count, 0)).toBe(300);
    },
    1_200_000,
  );
});
