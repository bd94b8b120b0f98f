import { ApiError, type ErrorCode, type ErrorKind, type FailureClass } from '@signalbox/contracts';
import { RuleTooCostlyError } from '../routing/index.js';
import { failureOfModel } from './model-failure.js';

describe('a failed model call', () => {
  it.each<[ErrorKind, string | undefined, FailureClass | undefined, ErrorCode | undefined]>([
    ['bad_upstream', 'provider_failed', 'provider', 'provider_error'],
    ['rate_limited', undefined, 'provider', 'provider_error'],
    ['refused', undefined, 'provider', 'provider_error'],
    ['not_found', 'model_not_found', 'internal', 'model_not_found'],
    ['conflict', 'application_disabled', 'internal', 'application_disabled'],
    ['not_found', undefined, 'internal', 'invalid_config'],
    ['invalid', undefined, 'internal', 'invalid_config'],
    ['unavailable', undefined, undefined, undefined],
    ['timeout', 'provider_timeout', 'timeout', 'timeout'],
    ['internal', undefined, undefined, undefined],
  ])('%s with code %s ends the task as %s/%s', (kind, code, failure_class, error_code) => {
    const failure = failureOfModel(new ApiError(kind, 'm', code === undefined ? {} : { code }));
    expect([failure?.failure_class, failure?.error_code]).toEqual([failure_class, error_code]);
  });

  it('is no failure of a provider when a routing rule takes too long', () => {
    const error = new RuleTooCostlyError({ label: 'slow' }, 0, 'it takes too long');
    expect(failureOfModel(error)).toMatchObject({ failure_class: 'internal', error_code: 'rule_too_costly' });
  });

  it('is no failure of the model for an unrelated error', () => {
    expect(failureOfModel(new TypeError('x'))).toBeNull();
  });
});
