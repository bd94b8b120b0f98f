import { runTestRunChaos } from '@signalbox/testing';

// The short form, in `npm test`, is test-run-chaos.spec.ts.
describe('a test run under many faults', () => {
  it.each([31, 32, 33])(
    'loses nothing over 200 kills of every process (seed %i)',
    async (seed) => {
      const report = await runTestRunChaos({ seed, items: 2000, kills: 200 });
      expect(report.faults).toEqual([]);
      expect(report.summaries).toMatchObject([{ total: 2000, matched: 2000, match_rate: 1 }]);
      // A call whose worker or provider connection was lost is made again.
      expect(report.modelCalls).toBeLessThan(2000 * 1.05 + 200 * 8);
    },
    1_800_000,
  );

  it('has each effect of 2,000 workflow runs and 2,000 tasks once over 60 kills, and pays no judge twice', async () => {
    const report = await runTestRunChaos({ seed: 34, items: 2000, kills: 60, consumers: ['WORKFLOW', 'AGENT'] });
    expect(report.faults).toEqual([]);
    expect(report.summaries).toMatchObject(Array(2).fill({ total: 2000, matched: 2000, errors: 0, match_rate: 1 }));
    expect(report.judgements).toBe(4000);
  }, 3_600_000);

  it('starts one workflow run and one task for each item, and pays for one judgement', async () => {
    const report = await runTestRunChaos({ seed: 6, items: 30, kills: 5, consumers: ['WORKFLOW', 'AGENT'] });
    expect(report.faults).toEqual([]);
    expect(report.summaries).toMatchObject(Array(2).fill({ total: 30, matched: 30, errors: 0, match_rate: 1 }));
    expect(report.judgements).toBe(60);
  }, 300_000);
});
