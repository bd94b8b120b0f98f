import { presentedKey } from './presented-key.js';

const raw = ['Authorization', 'Bearer b'];

describe('the key of a request', () => {
  it.each([
    ['the service header', { 'x-service-api-key': 'a' }, true, { text: 'a', bearer: false }],
    ['both headers', { 'x-service-api-key': 'a', authorization: 'Bearer b' }, true, { text: 'a', bearer: false }],
    [
      'an empty service header and a bearer',
      { 'x-service-api-key': '', authorization: 'Bearer b' },
      true,
      { text: '', bearer: false },
    ],
    ['a bearer where it is allowed', { authorization: 'bearer  b' }, true, { text: 'b', bearer: true }],
    ['a bearer where it is not allowed', { authorization: 'Bearer b' }, false, null],
    ['basic authentication', { authorization: 'Basic b' }, true, null],
    ['a bearer of two words', { authorization: 'Bearer b c' }, true, null],
    ['nothing', {}, true, null],
  ])('%s', (_, headers, bearer, expected) => expect(presentedKey(headers, bearer, raw)).toEqual(expected));

  it('is none when the bearer is sent twice', () => {
    expect(presentedKey({ authorization: 'Bearer b' }, true, [...raw, ...raw])).toBeNull();
  });
});
