import { cutText } from './stored-text.js';

it.each([
  ['short', 'short'],
  [`${'x'.repeat(30)}`, `${'x'.repeat(30)}`],
  [`${'x'.repeat(31)}`, `${'x'.repeat(14)} [cut: 17 bytes]`],
  [`${'x'.repeat(13)}😀${'x'.repeat(20)}`, `${'x'.repeat(13)} [cut: 24 bytes]`],
])('cuts %s', (text, expected) => {
  expect(cutText(text, 30)).toBe(expected);
  expect(cutText(text, 30).length).toBeLessThanOrEqual(30);
  expect(cutText(text, 30).isWellFormed()).toBe(true);
});
