import { job } from '@signalbox/platform';

/** The kinds of jobs of this service, apart from those of its runs. */
export const monitorJobs = {
  /** Judges a batch of sampled sources by conditions. */
  judgeByConditions: job('monitor_direct', { batch: 'text' }),
  /** Judges a batch of sampled sources by a model or a workflow. */
  judgeByModel: job('monitor_judge', { batch: 'text' }),
  /** Judges the items of a check. */
  runCheck: job('monitor_check', { checkId: 'int' }),
  /** Evaluates the alert rules of a monitor. */
  evaluateAlerts: job('monitor_alerts', { monitorId: 'int' }),
};
