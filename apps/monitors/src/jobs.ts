import { job } from '@signalbox/platform';

export const monitorJobs = {
  /** A batch of sampled sources. */
  judgeByConditions: job('monitor_direct', { batch: 'text' }),
  /** A batch of sampled sources; the judge is a model or a workflow. */
  judgeByModel: job('monitor_judge', { batch: 'text' }),
  runCheck: job('monitor_check', { checkId: 'int' }),
  evaluateAlerts: job('monitor_alerts', { monitorId: 'int' }),
};
