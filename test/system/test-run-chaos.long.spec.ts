import { runTestRunChaos, SETTLE_MS } from '@signalbox/testing';

// The short form, in `npm test`, is test-run-chaos.spec.ts.
describe('a test run under many faults', () => {
  it.each([31, 32, 33])(
    'loses nothing over 200 kills of every process (seed %i)',
    async (seed) => {
      const report = await runTestRunChaos({ seed, items: 2000, kills: 200 });
      expect(report.faults).toEqual([]);
      expect(report.settledMs).toBeLessThan(SETTLE_MS);
      expect(report.summary).toMatchObject({ total: 2000, matched: 2000, match_rate: 1 });
      // A call whose worker or provider connection was lost is made again.
      expect(report.modelCalls).toBeLessThan(2000 * 1.05 + 200 * 8);
    },
    1_800_000,
  );
});
