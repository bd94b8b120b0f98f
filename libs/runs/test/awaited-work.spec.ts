import { ApiError, type Caller, notFound } from '@signalbox/contracts';
import { awaitedWork, RunEndedError } from '../src/index.js';

const late = () => new ApiError('timeout', 'the run still runs');
const down = () => new ApiError('unavailable', 'the service is down');

/** Replies of a service in their order, with the callers that asked. */
function service(...replies: (string | Error)[]) {
  const callers: Caller[] = [];
  const call = (caller: Caller): Promise<string> => {
    callers.push(caller);
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    return typeof reply === 'string' ? Promise.resolve(reply) : Promise.reject(reply ?? late());
  };
  return { callers, call };
}

const settled = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 20));
};

describe('work of another service that is waited for', () => {
  const base = { companyId: 1, callId: 'c1' };

  it('is called under one id until it has ended, over time-outs and restarts', async () => {
    const { callers, call } = service(late(), down(), late(), 'done');
    const work = { ...base, signal: new AbortController().signal, call, cancel: () => Promise.resolve() };
    expect(await awaitedWork(work)).toBe('done');
    expect(callers.map(({ callId, isResent }) => [callId, isResent])).toEqual(Array(4).fill(['c1', true]));
  });

  it.each([
    [undefined, 60_000],
    [150_000, 150_000],
  ])('is asked with a deadline after its wait (%j)', async (waitMs, expected) => {
    const { callers, call } = service('done');
    const work = { ...base, signal: new AbortController().signal, call, cancel: () => Promise.resolve() };
    const before = Date.now();
    await awaitedWork(waitMs === undefined ? work : { ...work, waitMs });
    const after = Date.now();
    expect(callers[0]?.deadline).toBeGreaterThanOrEqual(before + expected);
    expect(callers[0]?.deadline).toBeLessThanOrEqual(after + expected);
  });

  it('throws what the work itself was refused with', async () => {
    const { callers, call } = service(new ApiError('conflict', 'DISABLED'));
    const work = { ...base, signal: new AbortController().signal, call, cancel: () => Promise.resolve() };
    await expect(awaitedWork(work)).rejects.toThrow('DISABLED');
    expect(callers).toHaveLength(1);
  });

  it('is cancelled when it takes longer than it is waited for', async () => {
    const { call } = service(late());
    let cancels = 0;
    const cancel = () => Promise.resolve(++cancels);
    const signal = new AbortController().signal;
    await expect(awaitedWork({ ...base, signal, until: Date.now() + 300, call, cancel })).rejects.toThrow('still runs');
    await settled(() => cancels > 0);
  });

  it('is cancelled when its caller has ended, also when its acceptance arrives later; not when the worker stops', async () => {
    const { call } = service(late());
    let cancels = 0;
    const cancel = () => (++cancels === 1 ? Promise.reject(notFound('run')) : Promise.resolve());
    const ends = new AbortController();
    const stops = new AbortController();
    const waits = [ends, stops].map(({ signal }) => awaitedWork({ ...base, signal, call, cancel }));
    stops.abort(new Error('the worker stops'));
    await expect(waits[1]).rejects.toThrow('the worker stops');
    expect(cancels).toBe(0);
    ends.abort(new RunEndedError());
    await expect(waits[0]).rejects.toThrow(RunEndedError);
    await settled(() => cancels === 2);
  });
});
