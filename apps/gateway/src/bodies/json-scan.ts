export interface JsonLimits {
  maxDepth: number;
  /** Keys of all objects and elements of all lists together. */
  maxEntries: number;
}

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const U = 117;

const UNTERMINATED = -1;
const NUL = -2;
const LONE_SURROGATE = -3;

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lower = byte | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}

/** The code unit of a `\uXXXX` escape, -1 when it is malformed, which JSON.parse refuses later. */
function codeUnit(bytes: Uint8Array, at: number): number {
  let unit = 0;
  for (let digit = 0; digit < 4; digit++) {
    const value = hexDigit(bytes[at + digit]);
    if (value < 0) return -1;
    unit = unit * 16 + value;
  }
  return unit;
}

/** Index of the closing quote of the string that begins at `at`, or the negative reason to refuse it. */
function stringEnd(bytes: Buffer, at: number): number {
  let high = false;
  let plain = 0;
  let quote = -1;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte !== BACKSLASH) {
      if (high) return LONE_SURROGATE;
      if (byte === QUOTE) return at;
      if (++plain < LONG_RUN) continue;
      // `indexOf` is many times as fast as this loop; the quote is searched again only once it is passed.
      if (quote < at) quote = bytes.indexOf(QUOTE, at);
      if (quote < 0) return UNTERMINATED;
      const escape = bytes.subarray(at, quote).indexOf(BACKSLASH);
      at = (escape < 0 ? quote : at + escape) - 1;
      plain = 0;
    } else if (bytes[at + 1] === U) {
      const unit = codeUnit(bytes, at + 2);
      if (unit === 0) return NUL;
      const low = unit >= 0xdc00 && unit <= 0xdfff;
      if (high !== low) return LONE_SURROGATE;
      high = unit >= 0xd800 && unit <= 0xdbff;
      at += 5;
    } else {
      if (high) return LONE_SURROGATE;
      at += 1;
    }
  }
  return UNTERMINATED;
}

/** After this many bytes without an escape, more of them are likely. */
const LONG_RUN = 64;

const PROTO = '__proto__';
const PROTO_ALL_ESCAPED = PROTO.length * 6;

/** True for `__proto__`, also when written with escapes. */
function isProto(bytes: Buffer, start: number, end: number): boolean {
  if (end - start < PROTO.length || end - start > PROTO_ALL_ESCAPED) return false;
  const text = bytes.toString('latin1', start, end);
  if (!text.includes('\\')) return text === PROTO;
  try {
    return JSON.parse(`"${text}"`) === PROTO;
  } catch {
    return false;
  }
}

const isSpace = (byte: number | undefined): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9;

function isEmpty(bytes: Uint8Array, at: number): boolean {
  do at++;
  while (isSpace(bytes[at]));
  return bytes[at] === CLOSE_LIST || bytes[at] === CLOSE_OBJECT;
}

/**
 * The reason to refuse a JSON body before it is parsed: too deep, too many keys and list elements, text that Postgres
 * cannot store, or a key that would reach a prototype. One pass; malformed JSON is left to the parser.
 */
export function jsonScanProblem(bytes: Buffer, limits: JsonLimits): string | undefined {
  let depth = 0;
  // A container has one entry more than commas, unless it is empty.
  let entries = 0;
  let start = 0;
  let end = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      start = at + 1;
      end = stringEnd(bytes, start);
      if (end === UNTERMINATED) return undefined;
      if (end < 0) return 'the body must not contain NUL or lone surrogates';
      at = end;
    } else if (byte === COMMA) {
      if (++entries > limits.maxEntries) return tooMany(limits);
    } else if (byte === COLON) {
      if (isProto(bytes, start, end)) return 'the body must not have a key named __proto__';
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (++depth > limits.maxDepth) return `the body must not be nested more than ${limits.maxDepth} deep`;
      if (!isEmpty(bytes, at) && ++entries > limits.maxEntries) return tooMany(limits);
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth--;
    }
  }
  return undefined;
}

const tooMany = ({ maxEntries }: JsonLimits): string =>
  `the body must not have more than ${maxEntries} keys and list elements`;
