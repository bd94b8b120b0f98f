// How long each spec file may take in a run of the whole suite on an otherwise quiet two-core machine, in seconds: a
// sixth more than it took there. One list, used twice: the sequencer starts with the longest, since a long file that
// starts last leaves the other workers idle, and the reporter prints what a run took of it. A file that is not listed
// has DEFAULT_SECONDS, a long one LONG_SECONDS.

const DEFAULT_SECONDS = 15;
const LONG_SECONDS = 600;

export const BUDGETS = [
  ['apps/traffic/dist/test/outage.long', 200],
  ['test/system/dist/rolling-restart.long', 185],
  ['test/system/dist/dependencies-away.long', 165],
  ['test/system/dist/chaos.long', 160],
  ['bench/dist/test/benches', 110],
  ['test/system/dist/dependencies-away', 105],
  ['test/system/dist/canary', 85],
  ['test/system/dist/conformance', 75],
  ['apps/cli/dist/test/system/stuck-bus', 75],
  ['apps/cli/dist/test/system/launcher', 70],
  ['apps/cli/dist/test/system/admin', 60],
  ['apps/agents/dist/test/system/lost-calls', 60],
  ['apps/cli/dist/test/system/external-agent', 80],
  ['apps/cli/dist/test/system/demo', 60],
  ['test/system/dist/rolling-restart', 55],
  ['libs/bus/dist/test/delivery', 50],
  ['test/system/dist/backup', 45],
  ['test/system/dist/chaos', 45],
  ['test/system/dist/emitters', 45],
  ['test/system/dist/portal-workflows', 45],
  ['test/system/dist/portal-declared', 45],
  ['test/system/dist/hostile-load', 45],
  ['apps/agents/dist/test/deltas', 45],
  ['apps/cli/dist/test/external-runs/calls', 40],
  ['apps/workflows/dist/test/system/lost-workers', 40],
  ['test/system/dist/test-run-chaos', 40],
  ['apps/workflows/dist/test/host', 40],
  ['test/system/dist/python-client', 40],
  ['apps/cli/dist/test/external-runs/steps', 35],
  ['test/system/dist/retention', 35],
  ['apps/agents/dist/test/definitions', 35],
  ['test/system/dist/in-process-completions', 35],
  ['apps/runner/dist/test/system/sandbox', 35],
  ['apps/workflows/dist/test/definitions', 35],
  ['apps/agents/dist/test/system/lost-workers', 30],
  ['libs/testing/dist/test/system/start', 30],
  ['apps/traffic/dist/test/payload-offload', 30],
  ['apps/test-runs/dist/test/runs', 30],
  ['apps/accounts/dist/test/webhooks/signatures', 25],
  ['libs/bus/dist/test/work', 25],
  ['apps/monitors/dist/test/sampling', 25],
  ['test/system/dist/monitor-chaos', 25],
  ['test/system/dist/workflow-chaos', 25],
  ['apps/agents/dist/test/system/rolling-restart', 25],
  ['libs/objects/dist/test/killed-writer', 25],
  ['test/system/dist/deliberate-breaks', 25],
  ['test/system/dist/fuzz', 25],
  ['apps/runner/dist/test/system/python-sandbox', 25],
  ['apps/traffic/dist/test/tag-rules', 25],
  ['apps/training/dist/test/finetune-runs', 25],
  ['apps/workflows/dist/test/uploads', 25],
  ['apps/traffic/dist/test/catch-up.long', 25],
  ['apps/agents/dist/test/callbacks', 20],
  ['test/system/dist/training-chaos', 20],
  ['apps/gateway/dist/test/limits', 20],
  ['apps/agents/dist/test/streams', 20],
  ['libs/bus/dist/test/audit-stream', 20],
  ['libs/bus/dist/test/ended-consumer', 25],
  ['libs/testing/dist/test/start-tracing', 20],
  ['apps/agents/dist/test/system/noisy-neighbours', 20],
  ['apps/traffic/dist/test/system/spool-transfer', 20],
  ['test/system/dist/clarifications', 20],
  ['apps/test-runs/dist/test/files', 20],
  ['apps/runner/dist/test/python', 20],
  ['apps/runner/dist/test/killed', 20],
  ['apps/workflows/dist/test/artifacts', 20],
  ['apps/cli/dist/test/system/examples', 20],
  ['libs/contracts/dist/test/validation', 8],
];

/** The budget of a spec file in seconds, and its place in the list (the length of the list when it is not in it). */
export function budgetOf(path) {
  const place = BUDGETS.findIndex(([name]) => path.endsWith(`/${name}.spec.js`));
  if (place >= 0) return { place, seconds: BUDGETS[place][1] };
  return { place: BUDGETS.length, seconds: path.endsWith('.long.spec.js') ? LONG_SECONDS : DEFAULT_SECONDS };
}
