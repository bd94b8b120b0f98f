import { undelivered } from './step-events.js';

const contents = (message: string, delivered?: { text: string; stale: boolean }) =>
  undelivered(message, 3, delivered).map(({ event }) => event?.data);

describe('the undelivered part of a message', () => {
  it('is all of it when nothing was delivered', () => {
    expect(contents('hello')).toEqual([{ content: 'hello', step: 3 }]);
    expect(contents('')).toEqual([]);
  });

  it('is the rest after the delivered beginning', () => {
    expect(contents('hello world', { text: 'hello', stale: false })).toEqual([{ content: ' world', step: 3 }]);
    expect(contents('hello', { text: 'hello', stale: false })).toEqual([]);
  });

  it('is all of it, as a restart, when other text was delivered', () => {
    expect(contents('hi', { text: 'hello', stale: false })).toEqual([{ content: 'hi', step: 3, restart: true }]);
    expect(contents('hello', { text: '', stale: true })).toEqual([{ content: 'hello', step: 3, restart: true }]);
    expect(contents('', { text: '', stale: true })).toEqual([{ content: '', step: 3, restart: true }]);
  });
});
