// Jest starts with what took longest the last time; a clean clone knows no last time, so the budgets say what is long.

import Sequencer from '@jest/test-sequencer';
import { BUDGETS, budgetOf } from './budgets.mjs';

/** Long files first, then those that start processes of their own, then the pure ones. */
function rankOf({ path }) {
  const { place } = budgetOf(path);
  if (place < BUDGETS.length) return place;
  return path.includes('/dist/src/') ? BUDGETS.length + 1 : BUDGETS.length;
}

class LongestFirst extends Sequencer {
  sort(tests) {
    const asJest = super.sort(tests);
    // A duration of an earlier run says more than the list.
    const rank = (test) => (Number.isFinite(test.duration) ? -1 : rankOf(test));
    return [...asJest].sort((one, other) => rank(one) - rank(other));
  }
}

// Jest loads a sequencer by its default export.
export default LongestFirst;
