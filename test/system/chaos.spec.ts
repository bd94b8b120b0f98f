import {
  faultsBetween,
  type Platform,
  runFamilyChaos,
  runTaskChaos,
  SETTLE_MS,
  startChaosPlatform,
} from '@signalbox/testing';

let platform: Platform;
beforeAll(async () => {
  platform = await startChaosPlatform();
}, 90_000);
afterAll(() => platform.stop());

describe('agent tasks under faults', () => {
  // The long run is `node libs/testing/dist/src/chaos/run.js --seed N --tasks 200 --kills 40`.
  it('loses none and does none twice', async () => {
    const report = await runTaskChaos({ platform, seed: 11, tasks: 16, kills: 6 });
    expect(report.faults).toEqual([]);
    expect(report.settledMs).toBeLessThan(SETTLE_MS);
    expect(report.injected).toHaveLength(7);
    expect(Object.values(report.outcomes).reduce((sum, count) => sum + count, 0)).toBe(16);
  }, 150_000);
});

describe('families of agents under faults', () => {
  // The long run is the same command with `--scenario family`.
  it('lose nothing: no callback counts twice, no parent is done before its child', async () => {
    const victims = ['gateway', 'agents', 'agents 2', 'nats'];
    const report = await runFamilyChaos({ platform, seed: 12, tasks: 20, kills: 4, victims });
    expect(report.faults).toEqual([]);
    expect(report.settledMs).toBeLessThan(SETTLE_MS);
    expect(report.counts).toMatchObject({ families: 20, withSecrets: 4, certainToWait: 15 });
    expect(report.counts['calledBack']).toBeGreaterThanOrEqual(15);
  }, 180_000);
});

describe('the state watch', () => {
  const before = { id: 'a', status: 'RUNNING', last_seq: 3, iterations: 1, steps: 2, end: null };

  it.each([
    [{ status: 'COMPLETED', end: 'x' }, []],
    [{ status: 'QUEUED' }, ['task a was RUNNING and became QUEUED']],
    [{ last_seq: 2 }, ['last_seq of task a decreased from 3 to 2']],
    [{ steps: 1 }, ['steps of task a decreased from 2 to 1']],
  ])('of a running task that then is %j', (change, faults) => {
    expect(faultsBetween(before, { ...before, ...change })).toEqual(faults);
  });

  it('reports an end that changes', () => {
    const ended = { ...before, status: 'FAILED', end: 'x' };
    expect(faultsBetween(ended, { ...ended, end: 'y' })).toEqual(['the end of task a was changed afterwards']);
    expect(faultsBetween(ended, { ...ended, status: 'RUNNING' })).toEqual(['task a was FAILED and became RUNNING']);
  });
});
