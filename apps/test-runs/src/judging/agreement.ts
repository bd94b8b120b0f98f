/** Matched when more than half are; ties are not. Null when none was compared. */
export function majority(matched: readonly (boolean | null)[]): boolean | null {
  const known = matched.filter((each) => each !== null);
  if (known.length === 0) return null;
  return known.filter(Boolean).length * 2 > known.length;
}

/** The share of pairs of repeats with equal results (numerator of Fleiss' kappa); 1 for one repeat, null for none. */
export function agreementOf(results: readonly unknown[]): number | null {
  const n = results.length;
  if (n < 2) return n === 1 ? 1 : null;
  const counts = new Map<unknown, number>();
  for (const result of results) counts.set(result, (counts.get(result) ?? 0) + 1);
  const pairs = [...counts.values()].reduce((sum, count) => sum + count * (count - 1), 0);
  return pairs / (n * (n - 1));
}
