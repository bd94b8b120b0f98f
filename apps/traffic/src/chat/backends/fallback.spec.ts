import { getEventListeners } from 'node:events';
import { firstAnswer, type FallbackAttempt } from './fallback.js';

const signal = new AbortController().signal;
const after =
  (ms: number, value: string | Error) =>
  (stop: AbortSignal): Promise<string> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => (value instanceof Error ? reject(value) : resolve(value)), ms);
      stop.addEventListener('abort', () => (clearTimeout(timer), reject(new Error('stopped'))));
    });
const fallbackAttempt = (
  strategy: 'reactive' | 'timeout' | 'first_response',
  attempt: FallbackAttempt<string>['attempt'],
  timeout_ms = 20,
): FallbackAttempt<string> => ({ attempt, plan: { strategy, timeout_ms }, judge: () => 'provider' });

describe('a fallback', () => {
  it('is not called when the first attempt succeeds', async () => {
    let asked = false;
    const second = async () => ((asked = true), 'second');
    expect(await firstAnswer(after(5, 'first'), fallbackAttempt('reactive', second), signal)).toMatchObject({
      value: 'first',
      reason: null,
    });
    expect(await firstAnswer(after(5, 'first'), fallbackAttempt('timeout', second), signal)).toMatchObject({
      value: 'first',
    });
    expect(asked).toBe(false);
  });

  it('completes when the first attempt fails', async () => {
    const failing = after(1, new Error('down'));
    for (const strategy of ['reactive', 'timeout', 'first_response'] as const)
      expect(await firstAnswer(failing, fallbackAttempt(strategy, after(5, 'second')), signal)).toMatchObject({
        value: 'second',
      });
    expect(await firstAnswer(failing, fallbackAttempt('reactive', after(1, 'second')), signal)).toMatchObject({
      value: 'second',
      reason: 'provider_failed',
    });
  });

  it('starts after the time-out and aborts the first attempt when it is faster', async () => {
    let stopped = false;
    const slow = (stop: AbortSignal) => {
      stop.addEventListener('abort', () => (stopped = true));
      return after(1000, 'first')(stop);
    };
    expect(await firstAnswer(slow, fallbackAttempt('timeout', after(1, 'second')), signal)).toMatchObject({
      value: 'second',
      reason: 'provider_timeout',
    });
    expect(stopped).toBe(true);
  });

  it('races from the start with the strategy first_response', async () => {
    const won = await firstAnswer(after(200, 'first'), fallbackAttempt('first_response', after(1, 'second')), signal);
    expect(won).toMatchObject({ value: 'second', reason: 'first_response' });
    const first = await firstAnswer(after(1, 'first'), fallbackAttempt('first_response', after(200, 'second')), signal);
    expect(first).toMatchObject({ value: 'first', reason: null });
  });

  it('returns the failure of the first attempt when both fail, and is not called when it cannot help', async () => {
    const both = firstAnswer(
      after(1, new Error('one')),
      fallbackAttempt('reactive', after(1, new Error('two'))),
      signal,
    );
    await expect(both).rejects.toThrow('one');
    const refusing = { ...fallbackAttempt('reactive', after(1, 'second')), judge: () => null };
    await expect(firstAnswer(after(1, new Error('refused')), refusing, signal)).rejects.toThrow('refused');
  });

  it('aborts an answer when its caller disconnects before its end, and leaves no listener on the signal of the caller', async () => {
    const caller = new AbortController();
    const listening = () => getEventListeners(caller.signal, 'abort').length;
    await firstAnswer(
      after(1, new Error('one')),
      fallbackAttempt('reactive', after(1, new Error('two'))),
      caller.signal,
    ).catch(() => undefined);
    expect(listening()).toBe(0);
    const stops: AbortSignal[] = [];
    const heard = (stop: AbortSignal) => (stops.push(stop), after(1, 'first')(stop));
    const finished = await firstAnswer(heard, fallbackAttempt('reactive', after(1, 'second')), caller.signal);
    finished.over();
    expect(listening()).toBe(0);
    await firstAnswer(heard, fallbackAttempt('reactive', after(1, 'second')), caller.signal);
    caller.abort();
    expect(stops.map(({ aborted }) => aborted)).toEqual([false, true]);
  });
});
