import { CircuitState } from 'cockatiel';
import { ConsecutiveFailures } from '../src/consecutive-failures.js';

describe('failures in a row', () => {
  let now = 0;
  const opensAfter = (failures: number, everyMs: number, breaker = new ConsecutiveFailures(() => now)): boolean => {
    let opens = false;
    for (let turn = 0; turn < failures; turn += 1, now += everyMs) opens = breaker.failure(CircuitState.Closed);
    return opens;
  };

  it('open a circuit when there are ten within ten seconds', () => {
    expect(opensAfter(9, 1)).toBe(false);
    expect(opensAfter(10, 1)).toBe(true);
    expect(opensAfter(10, 1_111)).toBe(true);
    expect(opensAfter(30, 1_200)).toBe(false);
  });

  it('are reset by a success', () => {
    const breaker = new ConsecutiveFailures(() => now);
    expect(opensAfter(9, 1, breaker)).toBe(false);
    breaker.success();
    expect(opensAfter(9, 1, breaker)).toBe(false);
    expect(opensAfter(1, 1, breaker)).toBe(true);
  });

  it('open it again at once when its probe fails', () => {
    expect(new ConsecutiveFailures(() => now).failure(CircuitState.HalfOpen)).toBe(true);
  });
});
