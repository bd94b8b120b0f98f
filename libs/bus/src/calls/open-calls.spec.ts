import { OpenCalls } from './open-calls.js';

describe('open calls', () => {
  it('find the call that waits under a token, once', () => {
    const calls = new OpenCalls<string>();
    const [one, two] = [calls.open('one'), calls.open('two')];
    expect([calls.get(one), calls.get(two)]).toEqual(['one', 'two']);
    expect(calls.answered(one)).toBe('one');
    expect([calls.answered(one), calls.get(one), calls.get(two)]).toEqual([undefined, undefined, 'two']);
  });

  it('use the token of an answered call again', () => {
    const calls = new OpenCalls<string>();
    const token = calls.open('one');
    calls.answered(token);
    expect(calls.open('two')).toBe(token);
  });

  it('never take the late reply of a call that was given up for that of another', () => {
    const calls = new OpenCalls<string>();
    const late = calls.open('one');
    calls.givenUp(late);
    const next = calls.open('two');
    expect(next).not.toBe(late);
    expect([calls.get(late), calls.answered(late), calls.givenUp(late)]).toEqual([undefined, undefined, undefined]);
    expect(calls.answered(next)).toBe('two');
  });

  it('know nothing of tokens they never gave', () => {
    const calls = new OpenCalls<string>();
    calls.open('one');
    expect(['', '1', 'x-1', '-1', '0-1', '__proto__'].map((token) => calls.get(token))).toEqual(
      Array(6).fill(undefined),
    );
  });
});
