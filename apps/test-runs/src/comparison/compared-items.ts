import type { ComparedItem, ComparedOutcome } from '@signalbox/contracts';

/** One item in one run. */
export interface ItemInRun extends ComparedOutcome {
  test_run_id: number;
  test_set_item_id: number;
}

/** Which items are listed. */
export type Direction = 'worse' | 'better' | 'error' | 'changed';

/** The items of several runs, in the order of their first appearance. An item that a run lacks has no result there. */
export function comparedItems(rows: readonly ItemInRun[]): ComparedItem[] {
  const items = new Map<number, ComparedItem>();
  for (const { test_run_id, test_set_item_id, ...result } of rows) {
    const item = items.get(test_set_item_id) ?? { test_set_item_id, results: {}, changed: false };
    item.results[String(test_run_id)] = result;
    items.set(test_set_item_id, item);
  }
  for (const item of items.values())
    item.changed = new Set(Object.values(item.results).map(({ outcome }) => outcome)).size > 1;
  return [...items.values()];
}

/**
 * Whether an item is listed under a direction, which compares the later runs with the first one. Only verdicts are
 * better or worse than each other; an error is neither.
 */
export function goesInto({ results, changed }: ComparedItem, runs: readonly number[], direction?: Direction): boolean {
  if (direction === undefined) return true;
  if (direction === 'changed') return changed;
  const [base, ...others] = runs.map((id) => results[String(id)]?.outcome ?? null);
  if (direction === 'error') return [base, ...others].includes('ERROR');
  const [from, to] = direction === 'worse' ? (['PASS', 'FAIL'] as const) : (['FAIL', 'PASS'] as const);
  return base === from && others.includes(to);
}
