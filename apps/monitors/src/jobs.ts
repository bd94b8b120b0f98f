import { job } from '@signalbox/platform';

export const monitorJobs = {
  judgeByConditions: job('monitor_direct', { batch: 'text' }),
  judgeByModel: job('monitor_judge', { batch: 'text' }),
  runCheck: job('monitor_check', { checkId: 'int' }),
  evaluateAlerts: job('monitor_alerts', { monitorId: 'int' }),
};
