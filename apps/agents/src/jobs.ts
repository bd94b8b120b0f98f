import { job } from '@signalbox/platform';

/** The kinds of jobs of this service, apart from those of its runs. */
export const agentJobs = {
  /** Unbinds the agents of a deleted application. */
  unbindApplication: job('application_unbinding', { applicationId: 'int' }),
  /** Cancels the open tasks that a run has called, or those of a deleted agent. */
  cancelTasks: job('agent_task_cancels', { by: 'text', id: 'text' }),
  /** Removes the messages of a deleted session. */
  eraseSession: job('session-erasure', { sessionNo: 'int' }),
};
