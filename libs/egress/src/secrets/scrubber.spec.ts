import fc from 'fast-check';
import { Scrubber, SECRET_MARK } from './scrubber.js';
import { formsOf } from './secret-forms.js';

/** Each form separately; overlapping ones share a mark. */
function naive(values: readonly string[], text: string): string {
  const covered = new Uint8Array(text.length);
  for (const form of values.flatMap(formsOf))
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
      covered.fill(1, at, at + form.length);
    }
  let clean = '';
  for (let at = 0; at < text.length; at += 1)
    if (covered[at] === 0) clean += text[at];
    else if (!isInside(values, text, at)) clean += SECRET_MARK;
  return clean;
}

function isInside(values: readonly string[], text: string, place: number): boolean {
  return values.flatMap(formsOf).some((form) => {
    for (let at = Math.max(0, place - form.length + 1); at < place; at += 1) if (text.startsWith(form, at)) return true;
    return false;
  });
}

const letters = (alphabet: string, minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength });

function inChunks(scrubber: Scrubber, text: string, sizes: readonly number[]): string {
  const scrubbing = scrubber.incremental();
  const bytes = Buffer.from(text);
  const parts: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length]!;
    parts.push(scrubbing.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return Buffer.concat([...parts, scrubbing.end()]).toString();
}

describe('the scrubber', () => {
  it('replaces the same occurrences as a separate search for each form, as a whole and in chunks', () => {
    const values = fc.array(letters('ab', 6, 9), { minLength: 1, maxLength: 4 });
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
    fc.assert(
      fc.property(values, letters('aab', 0, 80), sizes, (secrets, text, chunks) => {
        const scrubber = new Scrubber(secrets);
        const expected = naive(secrets, text);
        expect(scrubber.text(text)).toBe(expected);
        expect(inChunks(scrubber, text, chunks)).toBe(expected);
      }),
      { numRuns: 2_000 },
    );
  });

  it('leaves no part of overlapping secrets', () => {
    expect(new Scrubber(['abcdefgh', 'efghijkl']).text('-abcdefghijkl-')).toBe('-[secret]-');
    expect(new Scrubber(['abcdefgh', 'cdefgh']).text('abcdefghcdefgh')).toBe('[secret][secret]');
    expect(new Scrubber(['12345678']).bytes(Buffer.from('12345678')).toString()).toBe(SECRET_MARK);
  });

  it('emits the mark as soon as the secret is complete', () => {
    const scrubbing = new Scrubber(['tok-123456']).incremental();
    expect(scrubbing.push(Buffer.from('a tok-12')).toString()).toBe('a ');
    expect(scrubbing.push(Buffer.from('3456')).toString()).toBe(SECRET_MARK);
    expect(scrubbing.push(Buffer.from(' b')).toString()).toBe(' b');
  });

  it.each([
    ['equal letters', ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(8_000)), 'a'.repeat(4_900_000)],
    ['a beginning repeated', ['a', 'b', 'c', 'd'].map((end) => 'a'.repeat(8_000) + end), 'a'.repeat(4_900_000)],
    ['nearly a secret', [`${'ab'.repeat(4_000)}c`], 'ab'.repeat(2_450_000)],
  ])('takes time linear in the text: %s', (_name, secrets, text) => {
    const scrubber = new Scrubber(secrets);
    const bytes = Buffer.from(text);
    const began = process.cpuUsage();
    const clean = scrubber.bytes(bytes);
    const { user } = process.cpuUsage(began);
    expect(clean.length).toBeLessThanOrEqual(bytes.length);
    // 150 to 400 ms by the load of the machine; a regular expression took 18 s.
    expect(user / 1_000).toBeLessThan(6_000);
  });
});
