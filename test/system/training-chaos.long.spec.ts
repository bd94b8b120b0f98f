import { runTrainingChaos } from '@signalbox/testing';

describe('training under many faults', () => {
  it('stores each row once, and creates one job and one model for each finetune run', async () => {
    const log = (line: string): void => void process.stdout.write(`${line}\n`);
    const report = await runTrainingChaos({ seed: 151, datasets: 60, kills: 40, log });
    expect(report.faults).toEqual([]);
    expect(report.injected).toHaveLength(41);
  }, 900_000);
});
