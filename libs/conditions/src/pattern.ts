import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';

/** Instructions of a compiled pattern: matching costs their number times the length of the text. */
const MAX_PROGRAM = 4_000;
const MAX_COMPILED = 200;
const patterns = new LRUCache<string, RE2JS>({ max: MAX_COMPILED });

function compiled(pattern: string): RE2JS {
  const known = patterns.get(pattern);
  if (known) return known;
  const made = RE2JS.compile(pattern);
  patterns.set(pattern, made);
  return made;
}

export function patternProblem(pattern: string): string | null {
  let size: number;
  try {
    size = compiled(pattern).programSize();
  } catch {
    return 'the pattern is not a regular expression that can be matched in linear time';
  }
  return size > MAX_PROGRAM ? `the pattern is too large: ${size} instructions, at most ${MAX_PROGRAM}` : null;
}

export const matchesPattern = (pattern: string, text: string): boolean => compiled(pattern).test(text);
