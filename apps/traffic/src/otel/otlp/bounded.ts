import { Rejected } from './any-value.js';
import { hasFewValues } from './body-size.js';

/** As JSON. */
export const MAX_SPAN_BYTES = 1_048_576;
/** Texts are not cut shorter than this. */
const MIN_TEXT = 256;

interface Bounded<T> {
  value: T;
  json: string;
}

export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max).toWellFormed();
  return `${kept} [cut: ${Buffer.byteLength(text) - Buffer.byteLength(text.slice(0, max))} bytes]`;
}

/** A text of JSON whose own texts are cut, because cut in its middle it could not be read. */
class ParsedText {
  constructor(readonly value: unknown) {}
}

const mapped = (value: object, each: (value: unknown) => unknown): unknown =>
  Array.isArray(value)
    ? value.map(each)
    : Object.fromEntries(Object.entries(value).map(([key, field]) => [key, each(field)]));

function withCutTexts(value: unknown, max: number): unknown {
  if (typeof value === 'string') return cutText(value, max);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof ParsedText) return JSON.stringify(withCutTexts(value.value, max));
  return mapped(value, (each) => withCutTexts(each, max));
}

function parsed(text: string, maxBytes: number): ParsedText | string {
  // What has more values than this does not fit without its texts either.
  if (text.length <= MIN_TEXT || !/^\s*[[{]/.test(text) || !hasFewValues(Buffer.from(text), maxBytes / 2)) return text;
  try {
    return new ParsedText(JSON.parse(text));
  } catch {
    return text;
  }
}

function withParsedTexts(value: unknown, maxBytes: number): unknown {
  if (typeof value === 'string') return parsed(value, maxBytes);
  if (typeof value !== 'object' || value === null) return value;
  return mapped(value, (each) => withParsedTexts(each, maxBytes));
}

/** Null when cutting the texts is not enough. */
function cut(value: unknown, maxBytes: number): Bounded<unknown> | null {
  const isTooLarge = (json: string): boolean => Buffer.byteLength(json) > maxBytes;
  if (isTooLarge(JSON.stringify(withCutTexts(value, MIN_TEXT)))) return null;
  for (let max = maxBytes / 2; ; max = Math.max(MIN_TEXT, max / 2)) {
    const fitting = withCutTexts(value, max);
    const json = JSON.stringify(fitting);
    if (!isTooLarge(json)) return { value: fitting, json };
  }
}

function cutWithinJson(value: unknown, maxBytes: number): Bounded<unknown> | null {
  try {
    return cut(withParsedTexts(value, maxBytes), maxBytes);
  } catch (error) {
    // JSON may be nested deeper than the stack.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Cuts the longest texts until the JSON fits. Throws `Rejected` when that is not enough. */
export function bounded<T extends object>(value: T, maxBytes = MAX_SPAN_BYTES): Bounded<T> {
  const json = JSON.stringify(value);
  if (Buffer.byteLength(json) <= maxBytes) return { value, json };
  const fitting = cutWithinJson(value, maxBytes) ?? cut(value, maxBytes);
  if (!fitting) throw new Rejected(`larger than ${maxBytes / 1_048_576} MiB without its long texts`);
  return fitting as Bounded<T>;
}
