import { ApiError, type ErrorKind } from '@signalbox/contracts';
import { RuleTooCostlyError } from '../../routing/costly-rule.js';
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

  it('is no failure of a provider when a routing rule takes too long', () => {
    const error = new RuleTooCostlyError({ label: 'slow' }, 0, 'it takes too long');
    expect(failureOfModel(error)).toMatchObject({ failure_class: 'internal', error_code: 'rule_too_costly' });
  });

  it('is no failure of the model when anything else breaks', () => {
    expect(failureOfModel(new TypeError('x'))).toBeNull();
  });
});
