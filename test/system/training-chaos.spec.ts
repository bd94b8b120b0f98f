import { runTrainingChaos } from '@signalbox/testing';

describe('training under faults', () => {
  // The long run is training-chaos.long.spec.ts.
  it('stores each row once, and creates one job and one model for each finetune run', async () => {
    const victims = ['training', 'training 2', 'traffic', 'nats'];
    const report = await runTrainingChaos({ seed: 15, datasets: 6, kills: 4, victims });
    expect(report.faults).toEqual([]);
    expect(report.injected).toHaveLength(5);
  }, 240_000);
});
