import type { RunDifference } from '@signalbox/contracts';
import { holmFactors, type PairedCounts, pairedMeans, pairedProportions, type PairedTest } from './intervals.js';

/** The paired results of items in two runs, for the match rate or a criterion. */
export interface Pairs {
  n: number;
  /** True for yes or no, false for scores. */
  isBinary: boolean;
  /** The most repeats of an item, whose result is the mean over its repeats. */
  repeats: number;
  /** For yes-or-no results without repeats. */
  counts: PairedCounts;
  /** Of the differences, second minus first. */
  sum: number;
  squares: number;
}

export type Compared = Pick<RunDifference, 'test_run_id' | 'base_run_id' | 'criteria_id' | 'name'> & { pairs: Pairs };

/** Fewer pairs show nothing, whatever their results are. */
export const LEAST_PAIRS = 8;

/**
 * Interval, p value and verdict come from one test. When several are made together, p values are adjusted by Holm's
 * method, and each interval has the confidence that agrees with its p value.
 */
export function differencesOf(compared: readonly Compared[], confidence: number): RunDifference[] {
  const tests = compared.map(({ pairs }) => (pairs.n < LEAST_PAIRS ? null : testOf(pairs)));
  const made = tests.filter((test) => test !== null);
  const factors = holmFactors(made.map(({ p }) => p));
  const factorOf = new Map(made.map((test, at) => [test, factors[at] ?? 1]));
  return compared.map(({ pairs, ...named }, at) => {
    const test = tests[at] ?? null;
    const method = methodOf(pairs) + (made.length > 1 ? ', Holm' : '');
    if (!test)
      return { ...named, ...TOO_FEW, difference: pairs.n > 0 ? pairs.sum / pairs.n : null, method, n: pairs.n };
    const factor = factorOf.get(test) ?? 1;
    const alpha = 1 - confidence;
    const p_value = Math.min(1, test.p * factor);
    return {
      ...named,
      difference: test.difference,
      ...test.interval(alpha / factor),
      verdict: p_value >= alpha ? 'no_difference_shown' : test.difference > 0 ? 'better' : 'worse',
      method,
      n: pairs.n,
      p_value,
    };
  });
}

const TOO_FEW = { low: null, high: null, verdict: 'too_few', p_value: null } as const;

const isCounted = ({ isBinary, repeats }: Pairs): boolean => isBinary && repeats === 1;

const methodOf = (pairs: Pairs): string => (isCounted(pairs) ? 'mcnemar_tango' : 'paired_t');

function testOf(pairs: Pairs): PairedTest {
  const { counts, n, sum, squares, repeats } = pairs;
  return isCounted(pairs) ? pairedProportions(counts) : pairedMeans({ n, sum, squares, step: 1 / repeats });
}
