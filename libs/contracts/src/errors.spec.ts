import { ApiError, notFound, toApiError } from './errors.js';

describe('an ApiError', () => {
  it('has a stack only when it is internal, and leaves the stacks of other errors alone', () => {
    const frames = (error: Error): number => (error.stack ?? '').split('\n    at ').length - 1;
    expect(frames(notFound('agent'))).toBe(0);
    expect(frames(new ApiError('internal', 'the script is missing'))).toBeGreaterThan(1);
    expect(frames(new Error('after'))).toBeGreaterThan(1);
    expect(toApiError(new TypeError('x is not a function')).message).toBe('internal server error');
  });
});
