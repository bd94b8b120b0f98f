import { refused } from '@signalbox/contracts';
import { RE2JS } from 're2js';
import type { Matches } from './condition.js';

/** The compiled pattern, which matches in time linear in the text; 422 when it is not one. */
function compiled(pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch {
    throw refused('the pattern is not a regular expression that can be matched in linear time');
  }
}

/** Refuses a pattern that cannot be compiled. */
export function checkPattern(pattern: string): void {
  compiled(pattern);
}

/** Whether a text contains a match of a pattern. */
export const matchesPattern: Matches = (pattern, text) => compiled(pattern).test(text);
