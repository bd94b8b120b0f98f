import { createHash } from 'node:crypto';

/**
 * A UUID that follows from a text, so that every try of the same call, in any process, has the same. Version 8 of RFC
 * 9562 is for such; ids that were given out with version 4 keep it.
 */
export function derivedUuid(text: string, version: 4 | 8 = 8): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const rest = [`${version}${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)];
  return [hex.slice(0, 8), hex.slice(8, 12), ...rest].join('-');
}
