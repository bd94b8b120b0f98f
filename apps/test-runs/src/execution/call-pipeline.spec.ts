import { callItems, type PipelineSteps } from './call-pipeline.js';

type Steps = PipelineSteps<string, number, { durationMs: number }>;

/** A job over some numbers; calls and records last as long as the test says. */
function world(pending: number[], change: Partial<Steps> = {}, left: Record<string, number> = {}) {
  const log: string[] = [];
  const underWay = { calls: 0, most: 0, besideRecord: 0, records: 0 };
  const steps: Steps = {
    start: (slot, onlyLeft) => Promise.resolve(left[slot] ?? (onlyLeft ? null : (pending.shift() ?? null))),
    putBack(_slot, item) {
      pending.unshift(item);
      log.push(`back ${item}`);
      return Promise.resolve();
    },
    async call(_slot, item) {
      underWay.calls += 1;
      underWay.most = Math.max(underWay.most, underWay.calls);
      if (underWay.records > 0) underWay.besideRecord += 1;
      await new Promise(setImmediate);
      underWay.calls -= 1;
      log.push(`called ${item}`);
      return { durationMs: 5 };
    },
    async record(_slot, item, _result, takesNext) {
      underWay.records += 1;
      // Longer than a call.
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
      underWay.records -= 1;
      log.push(`recorded ${item}`);
      return takesNext ? (pending.shift() ?? null) : null;
    },
    isNearEnd: () => false,
    ...change,
  };
  const stop = new AbortController();
  const work = () => callItems(['first', 'second'], () => !stop.signal.aborted, steps);
  return { work, log, stop, underWay };
}

const named = (log: string[], word: string): string[] => log.filter((line) => line.startsWith(word)).sort();

describe('the calls of a job', () => {
  it('are made once for each item, one at a time, and while a result is recorded', async () => {
    const items = [1, 2, 3, 4, 5, 6, 7, 8];
    const { work, log, underWay } = world([...items]);
    expect(await work()).toBe(false);
    for (const word of ['called', 'recorded']) expect(named(log, word)).toEqual(items.map((item) => `${word} ${item}`));
    expect(underWay.most).toBe(1);
    expect(underWay.besideRecord).toBeGreaterThan(3);
  });

  it('take no item before its time when they are long', async () => {
    const called: string[] = [];
    const { work, log } = world([1, 2, 3], {
      call: (slot, item) => {
        called.push(`${slot} ${item}`);
        return Promise.resolve({ durationMs: 5000 });
      },
    });
    expect(await work()).toBe(false);
    expect(called).toEqual(['first 1', 'first 2', 'first 3']);
    expect(named(log, 'recorded')).toHaveLength(3);
  });

  it('leave the last items to jobs with nothing to do', async () => {
    const items = [1, 2, 3, 4, 5, 6];
    const job = world([...items], { isNearEnd: (item) => item >= 4 });
    expect(await job.work()).toBe(false);
    expect(named(job.log, 'recorded')).toEqual(items.map((item) => `recorded ${item}`));
    expect(job.log.indexOf('recorded 5')).toBeLessThan(job.log.indexOf('called 6'));
  });

  it('call every item of a run that is near its end from the beginning', async () => {
    const { work, log } = world([1, 2, 3], { isNearEnd: () => true });
    expect(await work()).toBe(false);
    expect(log.filter((line) => line.startsWith('called'))).toEqual(['called 1', 'called 2', 'called 3']);
  });

  it('continue with what a lost worker has left in both slots', async () => {
    const { work, log } = world([3], {}, { first: 1, second: 2 });
    expect(await work()).toBe(false);
    expect(named(log, 'recorded').slice(0, 2)).toEqual(['recorded 1', 'recorded 2']);
  });

  it('end with the result of the one under way when the process stops, and put the other item back', async () => {
    const calls: number[] = [];
    const job = world([1, 2, 3, 4], {
      call: async (_slot, item) => {
        calls.push(item);
        if (item === 2) {
          while (!job.log.includes('recorded 1')) await new Promise(setImmediate);
          job.stop.abort();
        }
        return { durationMs: 5 };
      },
    });
    expect(await job.work()).toBe(true);
    expect(calls).toEqual([1, 2]);
    expect(job.log.sort()).toEqual(['back 3', 'recorded 1', 'recorded 2']);
  });

  it('put an item back that was taken while the process stopped', async () => {
    const job = world([1, 2]);
    job.stop.abort();
    expect(await job.work()).toBe(true);
    expect(job.log).toEqual(['back 1']);
  });

  it('end with their error after the result of the other slot is recorded, and put its next item back', async () => {
    const { work, log } = world([1, 2, 3, 4], {
      call: (_slot, item) =>
        item === 2 ? Promise.reject(new Error('the run is over')) : Promise.resolve({ durationMs: 5 }),
    });
    await expect(work()).rejects.toThrow('the run is over');
    expect(log).toEqual(['recorded 1', 'back 3']);
  });

  it('end with the error of a record', async () => {
    const { work } = world([1, 2, 3, 4], { record: () => Promise.reject(new Error('the job is lost')) });
    await expect(work()).rejects.toThrow('the job is lost');
  });
});
