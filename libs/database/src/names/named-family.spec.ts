import { anySeparator, isIdOf, wordPattern } from './named-family.js';

it.each([
  ['int', '12', true],
  ['int', '2147483648', false],
  ['int', '12a', false],
  ['uuid', '12', false],
  ['uuid', '0b5e8f6a-93b1-4d8e-9f43-3a4f3f1d7c10', true],
  ['text', 'anything', true],
] as const)('an id of type %s: %s is one: %s', (type, query, is) => {
  expect(isIdOf(type, query)).toBe(is);
});

it('matches words by their beginnings, with any separator, and takes wildcards literally', () => {
  expect(anySeparator(' Order-desk ')).toBe('Order_desk');
  expect(anySeparator('50%\\')).toBe('50\\%\\\\');
  expect(wordPattern(' Order-desk ')).toBe('% Order desk%');
  expect(wordPattern('50 %')).toBe('% 50 \\%%');
});

it('compares separators one by one only when the query has some', () => {
  expect(wordPattern('Order')).toBeNull();
});
