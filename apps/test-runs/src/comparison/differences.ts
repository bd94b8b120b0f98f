import type { RunDifference } from '@signalbox/contracts';
import { type Interval, mcnemar, type PairedCounts, pairedDifference } from './intervals.js';

type Difference = Pick<RunDifference, 'difference' | 'low' | 'high' | 'verdict' | 'method' | 'n' | 'p_value'>;

/** A difference of paired yes-or-no results; `pairs` has the result in the first and in the second run. */
export function binaryDifference(pairs: readonly (readonly [boolean, boolean])[], confidence: number): Difference {
  const counts: PairedCounts = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 };
  for (const [first, second] of pairs) counts[cellOf(first, second)] += 1;
  const method = 'newcombe_paired';
  if (pairs.length === 0) return { ...NOTHING, method, p_value: null };
  const interval = pairedDifference(counts, confidence);
  return { ...interval, verdict: verdictOf(interval), method, n: pairs.length, p_value: mcnemar(counts) };
}

const cellOf = (first: boolean, second: boolean): keyof PairedCounts =>
  first ? (second ? 'both' : 'onlyFirst') : second ? 'onlySecond' : 'neither';

/** A difference of paired scores, by its bootstrap interval; null for no pairs. */
export const scoreDifference = (interval: (Interval & { difference: number }) | null, n: number): Difference => {
  const method = 'paired_bootstrap';
  if (!interval) return { ...NOTHING, method, p_value: null };
  const { difference, low, high } = interval;
  return { difference, low, high, verdict: verdictOf(interval), method, n, p_value: null };
};

const NOTHING = { difference: null, low: null, high: null, verdict: 'no_difference_shown', n: 0 } as const;

/** An interval that contains 0 shows no difference. */
export const verdictOf = ({ low, high }: Interval): RunDifference['verdict'] =>
  low > 0 ? 'better' : high < 0 ? 'worse' : 'no_difference_shown';
