import { headerText } from './header-text.js';

it.each([
  ['visit 7%', 'visit 7%'],
  ['Besuch für 𩿞', 'Besuch%20f%C3%BCr%20%F0%A9%BF%9E'],
  ['a\r\nSet-Cookie: b', 'a%0D%0ASet-Cookie%3A%20b'],
  ['\ud800', '%EF%BF%BD'],
])('%j becomes %j', (value, text) => {
  expect(headerText(value)).toBe(text);
});
