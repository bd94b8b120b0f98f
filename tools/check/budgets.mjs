// How long each spec file may take on a quiet two-core machine, in seconds. One list, used twice: the sequencer starts
// with the longest, since a long file that starts last leaves the other workers idle, and the reporter prints what a
// run took of it. A file that is not listed has DEFAULT_SECONDS.

export const DEFAULT_SECONDS = 15;

export const BUDGETS = [
  ['bench/dist/test/benches', 90],
  ['test/system/dist/chaos', 75],
  ['apps/agents/dist/test/lost-workers', 70],
  ['test/system/dist/hostile-load', 60],
  ['apps/cli/dist/test/stuck-bus', 60],
  ['test/system/dist/dependencies-away', 60],
  ['test/system/dist/canary', 60],
  ['test/system/dist/rolling-restart', 60],
  ['libs/bus/dist/test/delivery', 50],
  ['apps/traffic/dist/test/payload-offload', 45],
  ['apps/agents/dist/test/deltas', 45],
  ['apps/agents/dist/test/callbacks', 45],
  ['apps/gateway/dist/test/limits', 40],
  ['test/system/dist/deliberate-breaks', 60],
  ['apps/cli/dist/test/admin', 30],
  ['apps/cli/dist/test/families', 25],
  ['apps/cli/dist/test/api-commands', 25],
  ['test/system/dist/python-client', 25],
  ['libs/sdk/dist/test/packed', 20],
  ['apps/traffic/dist/test/request-log', 40],
  ['test/system/dist/conformance', 40],
  ['apps/agents/dist/test/tasks', 40],
  ['apps/agents/dist/test/definitions', 40],
  ['apps/monitors/dist/test/definitions', 30],
  ['apps/monitors/dist/test/judges', 40],
  ['apps/monitors/dist/test/sampling', 30],
  ['apps/monitors/dist/test/watching', 25],
  ['apps/cli/dist/test/launcher', 50],
  ['libs/testing/dist/test/start', 40],
  ['apps/test-runs/dist/test/sets', 40],
  ['apps/test-runs/dist/test/files', 25],
  ['apps/training/dist/test/finetune-runs', 40],
  ['apps/runner/dist/test/sandbox', 40],
  ['apps/runner/dist/test/python', 40],
  ['apps/runner/dist/test/executions', 25],
  ['apps/runner/dist/test/bombs', 25],
  ['apps/runner/dist/test/killed', 25],
  ['libs/bus/dist/test/stopping', 20],
  ['libs/bus/dist/test/work', 20],
  ['libs/testing/dist/test/full-disk', 25],
];

/** The budget of a spec file in seconds, and its place in the list (the length of the list when it is not in it). */
export function budgetOf(path) {
  const place = BUDGETS.findIndex(([name]) => path.includes(name));
  return place < 0 ? { place: BUDGETS.length, seconds: DEFAULT_SECONDS } : { place, seconds: BUDGETS[place][1] };
}
