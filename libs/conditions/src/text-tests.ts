import { setImmediate } from 'node:timers/promises';
import { refused } from '@signalbox/contracts';
import { EvaluationTooCostly } from './threads/evaluation.js';
import type { EvaluationThreads } from './threads/evaluation-threads.js';
import { patternProblem } from './pattern.js';
import { passes, type TextTest } from './text-test.js';

/** The longest text that is tested, in UTF-16 units. */
const MAX_TEXT = 10_000_000;
/** Text by pattern up to which a test takes a few milliseconds at most, and sending it to a thread is not worth it. */
const IN_PLACE = { contains: 1_000_000, like: 1_000_000, matches: 100_000 } as const;
/** Instructions of a pattern that is compiled in place. */
const SMALL_PATTERN = 500;
const COMPILED_AT_ONCE = 20;

/** Tests texts with the patterns of users, in a thread when a test is not trivially small. */
export class TextTests {
  constructor(private readonly threads: EvaluationThreads) {}

  /** Whether a text passes a test; 422 for a text or a pattern that takes too much. */
  async passes(companyId: number, test: TextTest): Promise<boolean> {
    const { operator, pattern, text } = test;
    if (isSmall(test)) return passes(test);
    if (text.length > MAX_TEXT)
      throw refused(`the text is longer than the ${MAX_TEXT} characters that '${operator}' can test`);
    return this.threads.run(companyId, 'text', { operator, pattern, text }).catch((error: unknown) => {
      throw error instanceof EvaluationTooCostly
        ? refused(`the test '${operator}' takes longer than ${error.budgetMs} ms on this text`)
        : error;
    });
  }

  /** Refuses patterns (422) of which one cannot be used. */
  async requirePatterns(companyId: number, patterns: readonly string[]): Promise<void> {
    for (const [index, pattern] of [...new Set(patterns)].entries()) {
      // Each is small, but there may be very many.
      if (index % COMPILED_AT_ONCE === COMPILED_AT_ONCE - 1) await setImmediate();
      const problem =
        sizeOf(pattern) <= SMALL_PATTERN ? patternProblem(pattern) : await this.problemOf(companyId, pattern);
      if (problem !== null) throw refused(problem);
    }
  }

  private problemOf(companyId: number, pattern: string): Promise<string | null> {
    return this.threads.run(companyId, 'pattern', { pattern }).catch((error: unknown) => {
      if (error instanceof EvaluationTooCostly) return `the pattern takes longer than ${error.budgetMs} ms to compile`;
      throw error;
    });
  }
}

function isSmall({ operator, pattern, text }: TextTest): boolean {
  const size = operator === 'matches' ? sizeOf(pattern) : pattern.length;
  if (operator === 'matches' && size > SMALL_PATTERN) return false;
  return Math.max(text.length, 100) * size <= IN_PLACE[operator];
}

/** An upper bound of what a pattern compiles to: as if each counted repetition stood in all the others. */
function sizeOf(pattern: string): number {
  const counts = pattern.match(/\{\d+(?:,\d*)?/g) ?? [];
  const largest = (count: string): number => Math.max(1, ...count.slice(1).split(',').map(Number));
  return counts.reduce((size, count) => size * largest(count), pattern.length);
}
