import { keyIdOf, newKeyText } from '@signalbox/platform';
import fc from 'fast-check';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Computes CRC-32 (IEEE) bit by bit, so that the check is proved against the definition rather than the same library.
 */
function crc(text: string): number {
  let rest = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    rest ^= byte;
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (rest & 1 ? 0xedb88320 : 0);
  }
  return (rest ^ 0xffffffff) >>> 0;
}

function base62(value: number): string {
  let text = '';
  for (let rest = value; text.length < 6; rest = Math.floor(rest / 62)) text = (ALPHABET[rest % 62] ?? '') + text;
  return text;
}

describe('the text of an API key', () => {
  it.each([
    ['svk_00000000_00000000000000000000000000000000'],
    ['svk_zzzzzzzz_zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz'],
    ['svk_Ab3dEf9H_0123456789ABCDEFGHIJKLMNOPQRSTUV'],
  ])('%s ends in its CRC-32 in base62, padded with zeros', (body) => {
    expect(crc('123456789')).toBe(0xcbf43926);
    expect(keyIdOf(body + base62(crc(body)))).toBe(body.slice(4, 12));
  });

  const word = (length: number) =>
    fc.array(fc.constantFrom(...ALPHABET), { minLength: length, maxLength: length }).map((chars) => chars.join(''));

  it('is well formed exactly when its checksum matches', () => {
    fc.assert(
      fc.property(word(8), word(32), word(6), (id, secret, check) => {
        const body = `svk_${id}_${secret}`;
        const right = base62(crc(body));
        expect(keyIdOf(body + right)).toBe(id);
        expect(keyIdOf(body + check)).toBe(check === right ? id : null);
      }),
      { numRuns: 500 },
    );
  });

  it('is refused after any change of one character', () => {
    fc.assert(
      fc.property(fc.nat({ max: 49 }), fc.constantFrom(...ALPHABET, '_', '-', ' ', '\0', 'é'), (at, other) => {
        const { text } = newKeyText();
        fc.pre(text[at] !== other);
        expect(keyIdOf(text.slice(0, at) + other + text.slice(at + 1))).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  it('is never random text, a longer or a shorter key', () => {
    fc.assert(fc.property(fc.string(), (text) => expect(keyIdOf(text)).toBeNull()));
    const { text } = newKeyText();
    for (const other of [
      '',
      text.slice(1),
      text.slice(0, -1),
      `${text} `,
      ` ${text}`,
      `${text}\n`,
      text + text,
      text.toUpperCase(),
    ])
      expect(keyIdOf(other)).toBeNull();
  });

  it('is different each time', () => {
    const texts = new Set(Array.from({ length: 500 }, () => newKeyText().text));
    expect(texts.size).toBe(500);
    for (const text of texts) expect(keyIdOf(text)).toBe(text.slice(4, 12));
  });
});
