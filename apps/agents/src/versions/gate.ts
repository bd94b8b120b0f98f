import type { GateVerdict } from '@signalbox/database';

/** What a gate finds that no test run can answer: no service keeps test runs of agents, so none matches. */
export const noTestRun = (): GateVerdict => ({
  passed: false,
  unmet: [{ field: 'test_run', message: 'no test run matches' }],
});
