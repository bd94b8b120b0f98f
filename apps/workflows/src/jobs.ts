import { job } from '@signalbox/platform';

/** The kinds of jobs of this service, apart from those of its runs. */
export const workflowJobs = {
  /** Unbinds the workflows of a deleted application. */
  unbindApplication: job('application_unbinding', { applicationId: 'int' }),
  /** Cancels the open runs that a task has called, or those of a deleted workflow. */
  cancelRuns: job('workflow_run_cancels', { by: 'text', id: 'text' }),
};
