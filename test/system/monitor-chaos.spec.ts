import { runMonitorChaos } from '@signalbox/testing';

describe('monitors under faults', () => {
  // The long run is `node libs/testing/dist/src/chaos/run.js --scenario monitors --seed N --tasks 20000 --kills 100`.
  it('judge each recorded call once, directly and by a model', async () => {
    const victims = ['monitors', 'monitors 2', 'traffic', 'nats', 'postgres'];
    const report = await runMonitorChaos({ seed: 3, sources: 120, kills: 5, victims });
    expect(report.faults).toEqual([]);
    expect(report.injected).toHaveLength(6);
    expect(report.modelCalls).toBeGreaterThanOrEqual(120);
  }, 300_000);
});
