import { runWorkflowChaos, SETTLE_MS } from '@signalbox/testing';

describe('workflows with nested runs under faults', () => {
  // The long run is workflow-chaos.long.spec.ts.
  it('lose no run and do none twice', async () => {
    const victims = ['workflows', 'workflows 2', 'runner', 'script process', 'nats'];
    const report = await runWorkflowChaos({ seed: 64, tasks: 16, kills: 5, victims });
    expect(report.faults).toEqual([]);
    expect(report.settledMs).toBeLessThan(SETTLE_MS);
    expect(report.injected).toHaveLength(6);
    expect(report.outcomes['COMPLETED']).toBeGreaterThanOrEqual(10);
  }, 240_000);
});
