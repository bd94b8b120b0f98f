import { OpenCalls } from './open-calls.js';

describe('open calls', () => {
  it('find the call that waits under a token, once', () => {
    const calls = new OpenCalls<string>();
    const [one, two] = [calls.open('one'), calls.open('two')];
    expect([calls.get(one), calls.get(two)]).toEqual(['one', 'two']);
    expect(calls.removeReplied(one)).toBe('one');
    expect([calls.removeReplied(one), calls.get(one), calls.get(two)]).toEqual([undefined, undefined, 'two']);
  });

  it('reuse the token of a call that has its reply', () => {
    const calls = new OpenCalls<string>();
    const token = calls.open('one');
    calls.removeReplied(token);
    expect(calls.open('two')).toBe(token);
  });

  it('never match the late reply of an abandoned call to another call', () => {
    const calls = new OpenCalls<string>();
    const late = calls.open('one');
    calls.removeAbandoned(late);
    const next = calls.open('two');
    expect(next).not.toBe(late);
    expect([calls.get(late), calls.removeReplied(late), calls.removeAbandoned(late)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(calls.removeReplied(next)).toBe('two');
  });

  it('have no call for tokens they never issued', () => {
    const calls = new OpenCalls<string>();
    calls.open('one');
    expect(['', '1', 'x-1', '-1', '0-1', '__proto__'].map((token) => calls.get(token))).toEqual(
      Array(6).fill(undefined),
    );
  });
});
