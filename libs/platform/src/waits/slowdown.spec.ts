import { Slowdown } from './slowdown.js';

const { jest } = import.meta;

function measured(cpuMs: number, waitedMs: number): Slowdown {
  let samples = 0;
  const slowdown = new Slowdown(() => ({ cpuMs: cpuMs * samples, waitedMs: waitedMs * samples++ }));
  slowdown.start();
  jest.advanceTimersByTime(10_000);
  return slowdown;
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('is one while the process gets all the processor time that it needs', () => {
  expect(measured(400, 0).factor).toBe(1);
  expect(measured(0, 0).allow(1600)).toBe(1600);
});

it('grows with the time that the process waits for a processor, up to ten', () => {
  expect(measured(100, 300).factor).toBeCloseTo(4, 0);
  expect(measured(100, 300).allow(1000)).toBeCloseTo(4000, -3);
  expect(measured(10, 490).factor).toBe(10);
});

it('is about the last ten seconds', () => {
  let [cpuMs, waitedMs] = [0, 0];
  const slowdown = new Slowdown(() => ({ cpuMs: (cpuMs += 100), waitedMs }));
  slowdown.start();
  for (let sample = 0; sample < 10; sample++) {
    waitedMs += 400;
    jest.advanceTimersByTime(500);
  }
  expect(slowdown.factor).toBeGreaterThan(3);
  jest.advanceTimersByTime(10_000);
  expect(slowdown.factor).toBe(1);
});

it('allows as much more as the timers of the process were late', () => {
  const slowdown = new Slowdown(() => null);
  slowdown.start();
  const now = jest.spyOn(performance, 'now');
  const paused = performance.now() + 2500;
  now.mockReturnValue(paused);
  jest.advanceTimersToNextTimer();
  now.mockRestore();
  expect(slowdown.allow(1000)).toBeCloseTo(3000, -1);
});
