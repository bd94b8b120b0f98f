import { browserWords } from './browsers.js';

const GECKO = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0';
const BLINK =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
const WEBKIT =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Safari/605.1.15';

it.each([
  [GECKO, 'Firefox 153 on Linux'],
  [BLINK, 'Chrome 156 on Windows'],
  [`${BLINK} Edg/156.0.0.0`, 'Edge 156 on Windows'],
  [WEBKIT, 'Safari 19 on macOS'],
  ['curl/8.9', 'curl/8.9'],
  ['', 'unknown'],
  [null, 'unknown'],
])('%s is %s', (userAgent, words) => {
  expect(browserWords(userAgent)).toBe(words);
});
