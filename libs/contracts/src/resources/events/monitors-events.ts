import { defineEvents } from '../../events.js';
import { MonitorAlert } from '../monitors/monitor-alerts.js';
import { CheckRunSummary } from '../monitors/monitor-checks.js';
import { MonitorRunSummary } from '../monitors/monitor-runs.js';
import { MonitorTarget } from '../monitors/monitor-targets.js';
import { MonitorSummary } from '../monitors/monitors.js';
import { Gone, ReleaseMoved, VersionPublished } from './event-data.js';

export const monitorEvents = defineEvents('monitors', {
  'monitor.created': { resource: 'monitor', data: MonitorSummary, description: 'A monitor was created' },
  'monitor.updated': { resource: 'monitor', data: MonitorSummary, description: 'The draft of a monitor was changed' },
  'monitor.deleted': { resource: 'monitor', data: Gone, description: 'A monitor was deleted' },
  'monitor.activated': { resource: 'monitor', data: MonitorSummary, description: 'A monitor was activated' },
  'monitor.paused': { resource: 'monitor', data: MonitorSummary, description: 'A monitor was paused' },
  'monitor.version_published': { resource: 'monitor', data: VersionPublished, description: 'A version was published' },
  'monitor.release_moved': { resource: 'monitor', data: ReleaseMoved, description: 'A release was moved' },
  'monitor_run.completed': { resource: 'monitor_run', data: MonitorRunSummary, description: 'A source was judged' },
  'monitor_check.completed': {
    resource: 'monitor_check',
    data: CheckRunSummary,
    description: 'The items of a test set were judged by a version of a monitor',
  },
  'monitor_alert.opened': { resource: 'monitor_alert', data: MonitorAlert, description: 'An alert rule was met' },
  'monitor_alert.acknowledged': {
    resource: 'monitor_alert',
    data: MonitorAlert,
    description: 'An alert was acknowledged',
  },
  'monitor_alert.resolved': { resource: 'monitor_alert', data: MonitorAlert, description: 'An alert was resolved' },
  'monitor_target.attached': { resource: 'monitor_target', data: MonitorTarget, description: 'A target was attached' },
  'monitor_target.updated': { resource: 'monitor_target', data: MonitorTarget, description: 'A target was changed' },
  'monitor_target.detached': { resource: 'monitor_target', data: MonitorTarget, description: 'A target was detached' },
});
