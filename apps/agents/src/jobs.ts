import { job } from '@signalbox/platform';

export const agentJobs = {
  unbindApplication: job('application_unbinding', { applicationId: 'int' }),
  cancelTasks: job('agent_task_cancels', { by: 'text', id: 'text' }),
  eraseSession: job('session-erasure', { sessionNo: 'int' }),
};
