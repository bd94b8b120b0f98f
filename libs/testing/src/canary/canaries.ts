import { randomBytes } from 'node:crypto';

export interface Encoding {
  name: string;
  bytes: Buffer;
}

/** Characters that URLs, JSON and base64 each escape differently. */
const AWKWARD = '"\\/+%=&';

/**
 * Secret values that resemble no other data. All of a run begin with the same mark of plain letters, which URL and JSON
 * encodings leave unchanged, so that one search finds every one of them, truncated or not.
 */
export class Canaries {
  readonly mark: string;
  readonly values: string[] = [];

  constructor() {
    const letters = [...randomBytes(14)].map((byte) => String.fromCharCode((byte & 32) + 65 + (byte % 26)));
    this.mark = letters.join('');
  }

  next(): string {
    const value = `${this.mark}${String(this.values.length).padStart(4, '0')}${AWKWARD}end`;
    this.values.push(value);
    return value;
  }

  encodings(): Encoding[] {
    return encodingsOf(this.mark);
  }
}

/** Plain, reversed, base64 at each alignment, hex, and every character escaped. */
export function encodingsOf(mark: string): Encoding[] {
  const bytes = Buffer.from(mark);
  const hex = bytes.toString('hex');
  const escaped = (spell: (code: string) => string): string =>
    [...mark].map((letter) => spell(letter.charCodeAt(0).toString(16))).join('');
  const plain: [string, string][] = [
    ['plain', mark],
    ['backwards', [...mark].reverse().join('')],
    ...[0, 1, 2].map((shift): [string, string] => [`base64 shifted by ${shift}`, base64Within(bytes, shift)]),
    ['hex', hex],
    ['HEX', hex.toUpperCase()],
    ['URL-escaped', escaped((code) => `%${code}`)],
    ['URL-ESCAPED', escaped((code) => `%${code.toUpperCase()}`)],
    ['JSON-escaped', escaped((code) => `\\u00${code}`)],
    ['JSON-ESCAPED', escaped((code) => `\\u00${code.toUpperCase()}`)],
  ];
  const wide: Encoding = { name: 'UTF-16', bytes: Buffer.from(mark, 'utf16le') };
  return [...plain.map(([name, text]) => ({ name, bytes: Buffer.from(text, 'latin1') })), wide];
}

/** The characters of base64 that depend on the mark alone with `shift` bytes before it. */
function base64Within(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
  return text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
}
