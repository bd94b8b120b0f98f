import { like } from './like.js';
import { positionOf } from './linear-search.js';
import { matchesPattern } from './pattern.js';

/** The text tests: a substring (case-insensitive), SQL `LIKE`, an RE2 regular expression. */
export type TextOperator = 'contains' | 'like' | 'matches';

/** A test of a text. */
export interface TextTest {
  operator: TextOperator;
  pattern: string;
  text: string;
}

/**
 * Below this product of lengths the built-in search, which is fast on ordinary texts, is fast in the worst case too.
 */
const SHORT = 1_000_000;

function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at += 1) units[at] = text.charCodeAt(at);
  return units;
}

function contains(text: string, part: string): boolean {
  const [all, wanted] = [text.toLowerCase(), part.toLowerCase()];
  if (all.length * wanted.length <= SHORT) return all.includes(wanted);
  return positionOf(unitsOf(all), unitsOf(wanted)) >= 0;
}

/** True when a text contains a part, in time linear in their lengths. */
export function containsText(text: string, part: string, caseSensitive: boolean): boolean {
  if (!caseSensitive) return contains(text, part);
  if (text.length * part.length <= SHORT) return text.includes(part);
  return positionOf(unitsOf(text), unitsOf(part)) >= 0;
}

/** True when a text passes a test. */
export function passes({ operator, pattern, text }: TextTest): boolean {
  switch (operator) {
    case 'contains':
      return contains(text, pattern);
    case 'like':
      return like(text, pattern);
    case 'matches':
      return matchesPattern(pattern, text);
  }
}

/**
 * Product of text and pattern lengths up to which a test takes at most a few milliseconds, so that a thread is not
 * needed.
 */
const IN_PLACE = { contains: 1_000_000, like: 1_000_000, matches: 100_000 } as const;
/** Maximum number of instructions of a pattern that is compiled without a thread. */
export const SMALL_PATTERN = 500;

/** The result of a test that is trivially small; null for one that belongs into a thread. */
export const passesInPlace = (test: TextTest): boolean | null => (isSmall(test) ? passes(test) : null);

function isSmall({ operator, pattern, text }: TextTest): boolean {
  const size = operator === 'matches' ? sizeOf(pattern) : pattern.length;
  if (operator === 'matches' && size > SMALL_PATTERN) return false;
  return Math.max(text.length, 100) * size <= IN_PLACE[operator];
}

/** An upper bound of the compiled size of a pattern: as if all counted repetitions were nested. */
export function sizeOf(pattern: string): number {
  const counts = pattern.match(/\{\d+(?:,\d*)?/g) ?? [];
  const largest = (count: string): number => Math.max(1, ...count.slice(1).split(',').map(Number));
  return counts.reduce((size, count) => size * largest(count), pattern.length);
}
