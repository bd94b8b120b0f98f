// Jest starts with the files that took longest in the last run; a clean clone has no last run, so the budgets name the
// long ones.

import Sequencer from '@jest/test-sequencer';
import { BUDGETS, budgetOf } from './budgets.mjs';

/** Long files first, then those that start processes, then the pure ones. */
function rankOf({ path }) {
  const { place } = budgetOf(path);
  if (place < BUDGETS.length) return place;
  return path.includes('/dist/src/') ? BUDGETS.length + 1 : BUDGETS.length;
}

class LongestFirst extends Sequencer {
  sort(tests) {
    const asJest = super.sort(tests);
    // A measured duration is better than the list.
    const rank = (test) => (Number.isFinite(test.duration) ? -1 : rankOf(test));
    return [...asJest].sort((one, other) => rank(one) - rank(other));
  }
}

// Jest loads a sequencer by its default export.
export default LongestFirst;
