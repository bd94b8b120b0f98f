import { ApiError, type ErrorKind } from '@signalbox/contracts';
import { failureOfModel } from './model-failure.js';

describe('a model that could not be asked', () => {
  it.each<[ErrorKind, string | undefined]>([
    ['bad_upstream', 'provider'],
    ['rate_limited', 'provider'],
    ['not_found', 'provider'],
    ['invalid', 'provider'],
    ['unavailable', undefined],
    ['timeout', 'timeout'],
    ['internal', undefined],
  ])('%s ends the task as %s', (kind, failureClass) => {
    expect(failureOfModel(new ApiError(kind, 'm'))?.failure_class).toBe(failureClass);
  });

  it('is no failure of the model when anything else breaks', () => {
    expect(failureOfModel(new TypeError('x'))).toBeNull();
  });
});
