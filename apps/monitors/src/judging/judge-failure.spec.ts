import { ApiError, type ErrorKind } from '@signalbox/contracts';
import { failureOfConditions, failureOfModelCall } from './judge-failure.js';

describe('the failure of a judge', () => {
  it.each([
    ['unavailable', null],
    ['timeout', 'timeout'],
    ['bad_upstream', 'provider'],
    ['rate_limited', 'provider'],
    ['refused', 'provider'],
    ['not_found', 'judge'],
    ['internal', 'internal'],
    ['invalid', 'internal'],
  ] as [ErrorKind, string | null][])('whose call ends as %s has the class %s', (kind, expected) => {
    expect(failureOfModelCall(new ApiError(kind, 'x'))?.failure_class ?? null).toBe(expected);
  });

  it('is not repeated when only its configuration can repair it', () => {
    expect(failureOfModelCall(new ApiError('not_found', 'x'))?.repeatable).toBe(false);
    expect(failureOfModelCall(new ApiError('timeout', 'x'))?.repeatable).toBe(true);
    expect(failureOfConditions(new ApiError('refused', 'too long'))).toEqual({
      failure_class: 'judge',
      error_message: 'too long',
      repeatable: false,
    });
  });

  it('shows no text of an unforeseen error', () => {
    expect(failureOfModelCall(new Error('secret'))?.error_message).not.toContain('secret');
    expect(failureOfConditions(new Error('secret'))?.failure_class).toBe('internal');
    expect(failureOfConditions(new ApiError('unavailable', 'x'))).toBeNull();
  });
});
