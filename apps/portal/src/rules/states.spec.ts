import { isOpen, lampOf, lampOfEnd, wordOf } from './states.js';

describe('a state', () => {
  it('of an error is never shown as a failure of quality', () => {
    expect(lampOf('ERROR')).not.toBe(lampOf('FAIL'));
    expect(lampOfEnd('FAILED', 'provider')).toBe('odd');
    expect(lampOfEnd('FAILED', 'quality')).toBe('bad');
    expect(lampOfEnd('TIMED_OUT', 'timeout')).toBe('odd');
    expect(lampOfEnd('COMPLETED', null)).toBe('good');
  });

  it('is a word, with the class of its failure', () => {
    expect(wordOf('WAITING_WEBHOOK')).toBe('Waiting');
    expect(wordOf('FAILED', 'provider')).toBe('Failed: provider');
    expect(wordOf('TIMED_OUT', 'timeout')).toBe('Timed out');
    expect(wordOf('COMPLETED', null)).toBe('Completed');
    expect(wordOf('SOMETHING_NEW')).toBe('Something_new');
  });

  it('is open until it has ended', () => {
    expect(['QUEUED', 'RUNNING', 'WAITING_WEBHOOK'].every(isOpen)).toBe(true);
    expect(['COMPLETED', 'FAILED', 'CANCELLED'].some(isOpen)).toBe(false);
  });
});
