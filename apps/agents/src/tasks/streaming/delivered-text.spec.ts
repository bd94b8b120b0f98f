import { undelivered } from './delivered-text.js';

const contents = (message: string, told?: { text: string; stale: boolean }) =>
  undelivered(message, 3, told).map(({ event }) => event?.data);

describe('what of a message is still to be told', () => {
  it('is all of it when nothing was', () => {
    expect(contents('hello')).toEqual([{ content: 'hello', step: 3 }]);
    expect(contents('')).toEqual([]);
  });

  it('is what comes after the beginning that was', () => {
    expect(contents('hello world', { text: 'hello', stale: false })).toEqual([{ content: ' world', step: 3 }]);
    expect(contents('hello', { text: 'hello', stale: false })).toEqual([]);
  });

  it('is all of it, as a restart, when something else was told', () => {
    expect(contents('hi', { text: 'hello', stale: false })).toEqual([{ content: 'hi', step: 3, restart: true }]);
    expect(contents('hello', { text: '', stale: true })).toEqual([{ content: 'hello', step: 3, restart: true }]);
    expect(contents('', { text: '', stale: true })).toEqual([{ content: '', step: 3, restart: true }]);
  });
});
