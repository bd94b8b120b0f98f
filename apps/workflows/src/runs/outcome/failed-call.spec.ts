import { FailedCall, FailedCalls } from './failed-call.js';

it('keeps the latest failed calls of an execution', () => {
  const many = new FailedCalls();
  const failure = { failure_class: 'provider', error_code: 'provider_error' } as const;
  for (let at = 0; at < 300; at++) many.add(new FailedCall('ProviderError', `call ${at}`, failure));
  expect([many.find('ProviderError: call 0'), many.find('ProviderError: call 299')]).toEqual([null, failure]);
});
