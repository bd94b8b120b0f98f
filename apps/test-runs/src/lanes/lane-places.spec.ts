import { type LaneSteps, LanePlaces } from './lane-places.js';

type Steps = LaneSteps<string, number, { durationMs: number }>;

/** A lane over some numbers; calls and records last as long as the test says. */
function world(pending: number[], change: Partial<Steps> = {}, left: Record<string, number> = {}) {
  const log: string[] = [];
  const underWay = { calls: 0, most: 0, besideRecord: 0, records: 0 };
  const steps: Steps = {
    begin: ({ lane, onlyLeft }) => Promise.resolve(left[lane] ?? (onlyLeft ? null : (pending.shift() ?? null))),
    putBack(_lane, item) {
      pending.unshift(item);
      log.push(`back ${item}`);
      return Promise.resolve();
    },
    async call(_lane, item) {
      underWay.calls += 1;
      underWay.most = Math.max(underWay.most, underWay.calls);
      if (underWay.records > 0) underWay.besideRecord += 1;
      await new Promise(setImmediate);
      underWay.calls -= 1;
      log.push(`called ${item}`);
      return { durationMs: 5 };
    },
    async record(_lane, item, _result, goesOn) {
      underWay.records += 1;
      // Longer than a call.
      for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
      underWay.records -= 1;
      log.push(`recorded ${item}`);
      return goesOn ? (pending.shift() ?? null) : null;
    },
    isNearEnd: () => false,
    ...change,
  };
  const stop = new AbortController();
  const places = new LanePlaces(['first', 'second'], stop.signal, steps);
  return { places, log, stop, underWay };
}

const named = (log: string[], word: string): string[] => log.filter((line) => line.startsWith(word)).sort();

describe('the places of a lane', () => {
  it('execute every item once, one call at a time, and call while a result is recorded', async () => {
    const items = [1, 2, 3, 4, 5, 6, 7, 8];
    const { places, log, underWay } = world([...items]);
    expect(await places.work()).toBe(false);
    for (const word of ['called', 'recorded']) expect(named(log, word)).toEqual(items.map((item) => `${word} ${item}`));
    expect(underWay.most).toBe(1);
    expect(underWay.besideRecord).toBeGreaterThan(3);
  });

  it('take no item before its time when calls are long', async () => {
    const taken: string[] = [];
    const { places, log } = world([1, 2, 3], {
      call: (lane, item) => {
        taken.push(`${lane} ${item}`);
        return Promise.resolve({ durationMs: 5000 });
      },
    });
    expect(await places.work()).toBe(false);
    expect(taken).toEqual(['first 1', 'first 2', 'first 3']);
    expect(named(log, 'recorded')).toHaveLength(3);
  });

  it('leave the last items to lanes with nothing to do', async () => {
    const items = [1, 2, 3, 4, 5, 6];
    const open = new Set<string>();
    let most = 0;
    const { places, log } = world([...items], {
      isNearEnd: (item) => item >= 4,
      call: async (lane, item) => {
        open.add(lane);
        if (item > 5) most = Math.max(most, open.size);
        await new Promise(setImmediate);
        open.delete(lane);
        return { durationMs: 5 };
      },
    });
    expect(await places.work()).toBe(false);
    expect(named(log, 'recorded')).toEqual(items.map((item) => `recorded ${item}`));
    expect(most).toBe(1);
  });

  it('continue with what a lost worker has left at both of them', async () => {
    const { places, log } = world([3], {}, { first: 1, second: 2 });
    expect(await places.work()).toBe(false);
    expect(named(log, 'recorded')).toEqual(['recorded 1', 'recorded 2', 'recorded 3']);
  });

  it('record the call under way when the process stops, and put the other item back', async () => {
    const calls: number[] = [];
    const lane = world([1, 2, 3, 4], {
      call: async (_lane, item) => {
        calls.push(item);
        if (item === 2) {
          while (!lane.log.includes('recorded 1')) await new Promise(setImmediate);
          lane.stop.abort();
        }
        return { durationMs: 5 };
      },
    });
    expect(await lane.places.work()).toBe(true);
    expect(calls).toEqual([1, 2]);
    expect(lane.log).toEqual(['recorded 1', 'back 3', 'recorded 2']);
  });

  it('put an item back that would wait long for the call before it', async () => {
    let end: () => void = () => undefined;
    const lane = world([1, 2, 3], {
      call: async (_lane, item) => {
        if (item === 2) await new Promise<void>((resolve) => (end = resolve));
        return { durationMs: 5 };
      },
      putBack: (_lane, item) => {
        lane.log.push(`back ${item}`);
        end();
        return Promise.resolve();
      },
    });
    expect(await lane.places.work()).toBe(false);
    expect(lane.log).toEqual(['recorded 1', 'back 3', 'recorded 2']);
  });

  it('end with the error of a call, after the other place has ended', async () => {
    const lane = world([1, 2, 3, 4], {
      call: (_lane, item) =>
        item === 2 ? Promise.reject(new Error('the run is over')) : Promise.resolve({ durationMs: 5 }),
    });
    await expect(lane.places.work()).rejects.toThrow('the run is over');
    expect(lane.log).toContain('recorded 1');
    expect(lane.log).not.toContain('recorded 4');
  });
});
