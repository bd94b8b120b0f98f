import { setImmediate } from 'node:timers/promises';
import { refused } from '@signalbox/contracts';
import { EvaluationTooCostly } from './threads/evaluation.js';
import type { EvaluationThreads } from './threads/evaluation-threads.js';
import { patternProblem } from './pattern.js';
import { passes, type TextTest } from './text-test.js';

/** The maximum length of a tested text, in UTF-16 units. */
const MAX_TEXT = 10_000_000;
/**
 * Product of text and pattern lengths up to which a test takes at most a few milliseconds, so that a thread is not
 * needed.
 */
const IN_PLACE = { contains: 1_000_000, like: 1_000_000, matches: 100_000 } as const;
/** Maximum number of instructions of a pattern that is compiled without a thread. */
const SMALL_PATTERN = 500;
const COMPILED_AT_ONCE = 20;

/** Tests texts with user patterns, in a thread unless the test is trivially small. */
export class TextTests {
  constructor(private readonly threads: EvaluationThreads) {}

  /** True when a text passes a test; throws 422 for a text or a pattern that takes too long. */
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

  /** Throws 422 when one of the patterns is invalid. */
  async requirePatterns(companyId: number, patterns: readonly string[]): Promise<void> {
    for (const [index, pattern] of [...new Set(patterns)].entries()) {
      // Each pattern is small, but there may be many.
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

/** An upper bound of the compiled size of a pattern: as if all counted repetitions were nested. */
function sizeOf(pattern: string): number {
  const counts = pattern.match(/\{\d+(?:,\d*)?/g) ?? [];
  const largest = (count: string): number => Math.max(1, ...count.slice(1).split(',').map(Number));
  return counts.reduce((size, count) => size * largest(count), pattern.length);
}
