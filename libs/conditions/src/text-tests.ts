import { setImmediate } from 'node:timers/promises';
import { refused } from '@signalbox/contracts';
import { EvaluationTooCostly } from './threads/evaluation.js';
import type { EvaluationThreads } from './threads/evaluation-threads.js';
import { patternProblem } from './pattern.js';
import { passesInPlace, sizeOf, SMALL_PATTERN, type TextTest } from './text-test.js';

const MAX_TEXT = 10_000_000;
const COMPILED_AT_ONCE = 20;

/** In a thread unless the test is small. */
export class TextTests {
  constructor(private readonly threads: EvaluationThreads) {}

  /** 422 for a text or a pattern that takes too long. */
  /** 422 for a text or a pattern that takes too long. */
  async passes(companyId: number, test: TextTest): Promise<boolean> {
    const { operator, pattern, text } = test;
    const inPlace = passesInPlace(test);
    if (inPlace !== null) return inPlace;
    if (text.length > MAX_TEXT)
      throw refused(`the text is longer than the ${MAX_TEXT} characters that '${operator}' can test`);
    return this.threads.run(companyId, 'text', { operator, pattern, text }).catch((error: unknown) => {
      throw error instanceof EvaluationTooCostly
        ? refused(`the test '${operator}' takes longer than ${error.budgetMs} ms on this text`)
        : error;
    });
  }

  /** 422 when a pattern is invalid. */
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
