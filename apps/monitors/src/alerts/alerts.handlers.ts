import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, monitorAlerts } from '@signalbox/contracts';
import type { Filter } from '@signalbox/database';
import { acknowledgeAlert, resolveAlert } from './alert.js';
import { MonitorAlerts } from './alerts.repository.js';

type C = typeof monitorAlerts;

/** Alerts of monitors. */
@Serves(monitorAlerts)
export class MonitorAlertHandlers implements Handlers<C> {
  constructor(private readonly alerts: MonitorAlerts) {}

  listMonitorAlerts({
    input: { monitor_id, status, start_date, end_date, ...query },
    caller,
  }: CallTo<C, 'listMonitorAlerts'>) {
    const filters: Filter[] = [];
    if (monitor_id !== undefined) filters.push({ sql: 't.monitor_id = ?', value: monitor_id });
    if (status !== undefined) filters.push({ sql: 't.status = ANY(?::text[])', value: status });
    if (start_date !== undefined) filters.push({ sql: 't.opened_at >= ?', value: start_date });
    if (end_date !== undefined) filters.push({ sql: 't.opened_at < ?', value: end_date });
    return this.alerts.list(caller.companyId, { ...query, filters });
  }

  acknowledgeMonitorAlert({ input, caller }: CallTo<C, 'acknowledgeMonitorAlert'>) {
    return this.alerts.change(caller, input.alert_id, (row) => acknowledgeAlert(row, Date.now()));
  }

  resolveMonitorAlert({ input, caller }: CallTo<C, 'resolveMonitorAlert'>) {
    return this.alerts.change(caller, input.alert_id, (row) => resolveAlert(row, Date.now()));
  }
}
