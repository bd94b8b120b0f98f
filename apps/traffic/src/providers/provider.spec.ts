import { ApiError } from '@signalbox/contracts';
import { checkApiKey, checkBaseUrl, last4Of, type ProviderChecks, requireOwn, splitHeaders } from './provider.js';

const checks: ProviderChecks = {
  isSecretHeader: (name) => name.toLowerCase() === 'authorization',
  allowsHttp: (url) => url.host === 'models.lan:8080',
};

describe('a provider', () => {
  it.each([
    ['https://api.example.com/v1', true],
    ['http://models.lan:8080/v1', true],
    ['http://models.lan/v1', false],
    ['http://api.example.com/v1', false],
    ['https://user@api.example.com/v1', false],
    ['https://api.example.com/v1?key=1', false],
    ['https://', false],
  ])('at %p is accepted: %p', (url, accepted) => {
    const check = () => checkBaseUrl('openai_compatible', url, checks);
    if (accepted) expect(check).not.toThrow();
    else expect(check).toThrow(ApiError);
  });

  it('needs a base URL unless it is simulated', () => {
    expect(() => checkBaseUrl('openai_compatible', null, checks)).toThrow(ApiError);
    expect(() => checkBaseUrl('simulated', undefined, checks)).not.toThrow();
  });

  it('accepts only keys that are valid in a header, and shows the end of long ones', () => {
    for (const key of ['sk 1', 'sk\n1', 'schlüssel']) expect(() => checkApiKey(key)).toThrow(ApiError);
    expect(() => checkApiKey('sk-1')).not.toThrow();
    expect([last4Of('sk-12345'), last4Of('short'), last4Of(null)]).toEqual(['2345', null, null]);
  });

  it('keeps a secret header that is sent back hidden, with its name in any case', () => {
    const split = splitHeaders({ AUTHORIZATION: '[secret]', 'x-org': '[secret]' }, { Authorization: 'Key 1' }, checks);
    expect(split).toEqual({
      shown: { AUTHORIZATION: '[secret]', 'x-org': '[secret]' },
      secret: { AUTHORIZATION: 'Key 1' },
    });
    expect(splitHeaders({ authorization: 'Key 2' }, { Authorization: 'Key 1' }, checks).secret).toEqual({
      authorization: 'Key 2',
    });
    expect(() => splitHeaders({ authorization: '[secret]' }, {}, checks)).toThrow(ApiError);
  });

  it('refuses header values that would split the request, and names given twice', () => {
    expect(() => splitHeaders({ 'x-a': 'a\r\nb: c' }, {}, checks)).toThrow(ApiError);
    expect(() => splitHeaders({ 'x-a': '1', 'X-A': '2' }, {}, checks)).toThrow(ApiError);
  });

  it('that is built in cannot be changed', () => {
    expect(() => requireOwn('provider simulated', { built_in: true })).toThrow('is built in');
    expect(() => requireOwn('provider x', { built_in: false })).not.toThrow();
  });
});
