import { job } from '@signalbox/platform';

export const workflowJobs = {
  unbindApplication: job('application_unbinding', { applicationId: 'int' }),
  /** `by` says whose open runs: those called by a task, or those of a deleted workflow. */
  cancelRuns: job('workflow_run_cancels', { by: 'text', id: 'text' }),
};
