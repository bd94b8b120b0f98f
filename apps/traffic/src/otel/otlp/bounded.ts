import { Rejected } from './any-value.js';

/** As JSON. */
export const MAX_SPAN_BYTES = 1_048_576;
/** Texts are not cut shorter than this. */
const MIN_TEXT = 256;

export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max).toWellFormed();
  return `${kept} [cut: ${Buffer.byteLength(text) - Buffer.byteLength(text.slice(0, max))} bytes]`;
}

function withCutTexts(value: unknown, max: number): unknown {
  if (typeof value === 'string') return cutText(value, max);
  if (Array.isArray(value)) return value.map((each) => withCutTexts(each, max));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withCutTexts(each, max)]));
}

/** Cuts the longest texts until the JSON fits. Throws `Rejected` when that is not enough. */
export function bounded<T extends object>(value: T, maxBytes = MAX_SPAN_BYTES): { value: T; json: string } {
  const isTooLarge = (text: string): boolean => Buffer.byteLength(text) > maxBytes;
  let fitting = value;
  let json = JSON.stringify(value);
  if (isTooLarge(json) && isTooLarge(JSON.stringify(withCutTexts(value, MIN_TEXT))))
    throw new Rejected(`larger than ${maxBytes / 1_048_576} MiB without its long texts`);
  for (let max = maxBytes / 2; isTooLarge(json); max = Math.max(MIN_TEXT, max / 2)) {
    fitting = withCutTexts(value, max) as T;
    json = JSON.stringify(fitting);
  }
  return { value: fitting, json };
}
