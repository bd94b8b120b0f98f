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
