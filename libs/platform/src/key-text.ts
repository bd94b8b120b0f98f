import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY = /^svk_([0-9A-Za-z]{8})_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

export const base62 = (length: number): string => Array.from({ length }, () => ALPHABET[randomInt(62)]).join('');

function checkOf(text: string): string {
  let rest = crc32(text);
  let check = '';
  for (let at = 0; at < 6; at++) {
    check = (ALPHABET[rest % 62] ?? '') + check;
    rest = Math.floor(rest / 62);
  }
  return check;
}

/** `svk_<id>_<secret><check>` (docs/api/README.md) */
export function newKeyText(): { text: string; keyId: string } {
  const keyId = base62(8);
  const body = `svk_${keyId}_${base62(32)}`;
  return { text: body + checkOf(body), keyId };
}

/** Null for malformed keys, which are refused without a look-up. */
export function keyIdOf(text: string): string | null {
  const match = KEY.exec(text);
  return match && text.endsWith(checkOf(text.slice(0, -6))) ? (match[1] ?? null) : null;
}
