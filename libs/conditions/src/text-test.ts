import { like } from './like.js';
import { positionOf } from './linear-search.js';
import { matchesPattern } from './pattern.js';

/** A case-insensitive substring, SQL `LIKE`, an RE2 regular expression. */
export type TextOperator = 'contains' | 'like' | 'matches';

export interface TextTest {
  operator: TextOperator;
  pattern: string;
  text: string;
}

/** Product of lengths below which the built-in search is fast in the worst case too. */
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

export function containsText(text: string, part: string, caseSensitive: boolean): boolean {
  if (!caseSensitive) return contains(text, part);
  if (text.length * part.length <= SHORT) return text.includes(part);
  return positionOf(unitsOf(text), unitsOf(part)) >= 0;
}

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

/** Product of text and pattern lengths up to which a test takes a few milliseconds and needs no thread. */
const IN_PLACE = { contains: 1_000_000, like: 1_000_000, matches: 100_000 } as const;
/** Instructions of a pattern that is compiled without a thread. */
export const SMALL_PATTERN = 500;

/** Null for a test that needs a thread. */
export const passesInPlace = (test: TextTest): boolean | null => (isSmall(test) ? passes(test) : null);

function isSmall({ operator, pattern, text }: TextTest): boolean {
  const size = operator === 'matches' ? sizeOf(pattern) : pattern.length;
  if (operator === 'matches' && size > SMALL_PATTERN) return false;
  return Math.max(text.length, 100) * size <= IN_PLACE[operator];
}

/** An upper bound of the compiled size, as if all counted repetitions were nested. */
export function sizeOf(pattern: string): number {
  const counts = pattern.match(/\{\d+(?:,\d*)?/g) ?? [];
  const largest = (count: string): number => Math.max(1, ...count.slice(1).split(',').map(Number));
  return counts.reduce((size, count) => size * largest(count), pattern.length);
}
