// Jest starts with what took longest the last time; a clean clone knows no last time, and a long file that comes last
// leaves the other workers idle. So what is known to be long comes first.

import Sequencer from '@jest/test-sequencer';

const LONG = [
  'bench/dist/test/benches',
  'apps/agents/dist/test/lost-workers',
  'test/system/dist/chaos',
  'test/system/dist/hostile-load',
  'test/system/dist/canary',
  'libs/bus/dist/test/delivery',
  'apps/traffic/dist/test/large-parts',
  'apps/agents/dist/test/deltas',
  'apps/agents/dist/test/callbacks',
  'apps/gateway/dist/test/limits',
  'test/system/dist/planted-breaks',
  'apps/cli/dist/test/admin',
  'apps/traffic/dist/test/request-log',
  'test/system/dist/conformance',
  'apps/agents/dist/test/tasks',
  'apps/agents/dist/test/definitions',
  'apps/cli/dist/test/launcher',
];

/** Long files first, then those that start processes of their own, then the pure ones. */
function rankOf({ path }) {
  const known = LONG.findIndex((name) => path.includes(name));
  if (known >= 0) return known;
  return path.includes('/dist/src/') ? LONG.length + 1 : LONG.length;
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
