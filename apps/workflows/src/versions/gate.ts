import type { GateVerdict } from '@signalbox/database';

/** The result of every gate: no service stores test runs of workflows yet, so none matches. */
export const noTestRun = (): GateVerdict => ({
  passed: false,
  unmet: [{ field: 'test_run', message: 'no test run matches' }],
});
