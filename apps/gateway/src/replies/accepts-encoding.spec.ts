import { acceptsEncoding } from './accepts-encoding.js';

it.each([
  ['gzip, deflate, br', true],
  ['BR;q=0.1', true],
  ['gzip, br ; q=1.0', true],
  ['br;q=0', false],
  ['gzip, br; q=0.000', false],
  ['bro', false],
  ['', false],
  [undefined, false],
])('Accept-Encoding: %s accepts br: %s', (header, isAccepted) =>
  expect(acceptsEncoding(header, 'br')).toBe(isAccepted),
);
