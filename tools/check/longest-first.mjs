// Jest starts with the files that took longest in the last run; a clean clone has no last run, so the budgets name the
// long ones. Where the time for specs of the whole platform is limited, they follow all others.

import Sequencer from '@jest/test-sequencer';
import { BUDGETS, budgetOf } from './budgets.mjs';
import { isOfSystem } from './system-specs.mjs';

/** Long files first, then those that start processes, then the pure ones. */
function rankOf({ path }) {
  const { place } = budgetOf(path);
  if (place < BUDGETS.length) return place;
  return path.includes('/dist/src/') ? BUDGETS.length + 1 : BUDGETS.length;
}

/** Where the time is limited: what is never left out, then the whole platform, then its benches. */
const stageOf = ({ path }) => (isOfSystem(path) ? (path.includes('/bench/') ? 2 : 1) : 0);

class LongestFirst extends Sequencer {
  sort(tests) {
    const asJest = super.sort(tests);
    // A measured duration is better than the list.
    const rank = (test) => (Number.isFinite(test.duration) ? -1 : rankOf(test));
    const sorted = [...asJest].sort((one, other) => rank(one) - rank(other));
    if (process.env.SYSTEM_SPECS_UNTIL === undefined) return sorted;
    return sorted.sort((one, other) => stageOf(one) - stageOf(other));
  }
}

// Jest loads a sequencer by its default export.
export default LongestFirst;
