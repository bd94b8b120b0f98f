import { FailedCall, FailedCalls } from './failed-call.js';
import { failureOf } from './run-outcome.js';

const calls = new FailedCalls();
calls.add(
  new FailedCall('ProviderError', 'the provider is down', { failure_class: 'provider', error_code: 'provider_error' }),
);
calls.add(
  new FailedCall('ChildFailedError', 'run 7 FAILED', { failure_class: 'quality', error_code: 'output_schema' }),
);
const failed = (message: string, error_code: 'script_error' | 'sandbox' = 'script_error') =>
  failureOf({ status: 'failed', error_code, message, line: 3 }, calls);

describe('a script that did not return', () => {
  it.each([
    ['Error: no', 'sandbox', 'script_error'],
    ['ProviderError: the provider is down', 'provider', 'provider_error'],
    ['Uncaught ProviderError: the provider is down', 'provider', 'provider_error'],
    ['ProviderError: as the script says', 'sandbox', 'script_error'],
    ['ChildFailedError: run 7 FAILED', 'quality', 'output_schema'],
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
    expect(failed('ProviderError: the provider is down', 'sandbox')).toMatchObject({ failure_class: 'sandbox' }));

  it('in time has timed out', () =>
    expect(failureOf({ status: 'timed_out', message: 'after 5 s' }, calls)).toEqual({
      status: 'TIMED_OUT',
      error_message: 'after 5 s',
    }));
});
