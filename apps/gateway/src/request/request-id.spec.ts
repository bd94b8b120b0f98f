import { ownRequestId } from './request-id.js';

describe('the request id of a client', () => {
  it.each([['a'], ['A-1._z'], ['x'.repeat(128)]])('%.20s is used', (id) => expect(ownRequestId(id)).toBe(id));
  it.each([[undefined], [''], ['x'.repeat(129)], ['a b'], ['a\u00e9'], ['a, b'], ['svk_12345678_secret']])(
    '%.30s is not used',
    (id) => expect(ownRequestId(id)).toBeUndefined(),
  );
});
