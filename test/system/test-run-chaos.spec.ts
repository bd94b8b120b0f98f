import { runTestRunChaos } from '@signalbox/testing';

describe('a test run under faults', () => {
  // The long run is `node libs/testing/dist/src/chaos/run.js --scenario test-run --seed N --tasks 2000 --kills 200`.
  it('loses no item and executes none twice in its state', async () => {
    const victims = ['test-runs', 'test-runs 2', 'traffic', 'nats', 'postgres'];
    const report = await runTestRunChaos({ seed: 5, items: 120, kills: 6, victims });
    expect(report.faults).toEqual([]);
    expect(report.injected).toHaveLength(7);
    expect(report.summaries).toMatchObject([{ total: 120, matched: 120, errors: 0, match_rate: 1 }]);
  }, 240_000);
});
