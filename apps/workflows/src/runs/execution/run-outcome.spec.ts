import { failureOf } from './run-outcome.js';

const failed = (message: string, error_code: 'script_error' | 'sandbox' = 'script_error') =>
  failureOf({ status: 'failed', error_code, message, line: 3 });

describe('a script that did not return', () => {
  it.each([
    ['Error: no', 'sandbox', 'script_error'],
    ['ProviderError: the provider is down', 'provider', 'provider_error'],
    ['EgressDenied: the host is not a public address', 'sandbox', 'egress_denied'],
    ['ChildFailedError: run 7 FAILED', 'sandbox', 'child_failed'],
    ['constructor: x', 'sandbox', 'script_error'],
    ['no name', 'sandbox', 'script_error'],
  ])('with %s', (message, failure_class, error_code) =>
    expect(failed(message)).toEqual({
      status: 'FAILED',
      failure_class,
      error_code,
      error_message: `line 3: ${message}`,
    }),
  );

  it('because of a limit has the class of the sandbox', () =>
    expect(failed('ProviderError: memory', 'sandbox')).toMatchObject({ failure_class: 'sandbox' }));

  it('in time has timed out, and one that was lost has no outcome', () => {
    expect(failureOf({ status: 'timed_out', message: 'after 5 s' })).toEqual({
      status: 'TIMED_OUT',
      error_message: 'after 5 s',
    });
    expect(failureOf({ status: 'lost', message: 'the runner died' })).toBeNull();
  });
});
