import { ApiError, type ErrorKind } from '@signalbox/contracts';
import { completed, failed, failureOf, outputOf } from './item-result.js';
import { storableResult } from './storable-result.js';

describe('a failed call of a consumer', () => {
  it.each<[ErrorKind, string | undefined, string, string | null]>([
    ['timeout', 'provider_timeout', 'timeout', 'timeout'],
    ['bad_upstream', 'provider_failed', 'provider', 'provider_error'],
    ['rate_limited', undefined, 'provider', 'provider_error'],
    ['refused', undefined, 'provider', 'provider_error'],
    ['not_found', 'model_not_found', 'internal', 'model_not_found'],
    ['conflict', 'application_disabled', 'internal', 'application_disabled'],
    ['conflict', undefined, 'internal', 'invalid_config'],
    ['invalid', undefined, 'internal', 'invalid_config'],
    ['internal', undefined, 'internal', null],
  ])('%s (%s) is a failure of class %s with code %s', (kind, code, failure_class, error_code) => {
    expect(failureOf(new ApiError(kind, 'x', code ? { code } : {}))).toMatchObject({
      status: 'FAILED',
      failure_class,
      error_code,
    });
  });

  it('is none while a service is down', () => {
    expect(failureOf(new ApiError('unavailable', 'x'))).toBeNull();
  });

  it('of another kind shows no text of the error', () => {
    expect(failureOf(new Error('at /srv/x.js'))).toMatchObject({ error_message: 'internal server error' });
  });
});

it('a failure of class quality is a completed result', () => {
  expect(failed('quality', 'max_iterations', 'x').status).toBe('COMPLETED');
});

it('a result that cannot be stored is a failure of the call that it came from', () => {
  const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
  const ref = { agent_task_id: 'x' };
  expect(storableResult(completed({ json: deep }, ref, null), undefined)).toMatchObject({
    ...{ status: 'FAILED', output: null, failure_class: 'internal', source_ref: ref },
  });
  expect(storableResult(completed({ text: 'a\0' }, ref, null), undefined)).toMatchObject({ output: { text: 'a' } });
});

describe('the output of a model', () => {
  const message = { role: 'assistant' as const, content: '{"a":1}' };

  it('is its message, and its JSON when that was asked for', () => {
    expect(outputOf(message, false)).toEqual({ message });
    expect(outputOf(message, true)).toEqual({ json: { a: 1 } });
    expect(outputOf({ ...message, content: 'sorry' }, true)).toEqual({ message: { ...message, content: 'sorry' } });
  });
});
