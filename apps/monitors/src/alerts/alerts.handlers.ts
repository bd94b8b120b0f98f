import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, monitorAlerts } from '@signalbox/contracts';
import { acknowledgeAlert, resolveAlert } from './alert.js';
import { MonitorAlerts } from './alerts.repository.js';

type C = typeof monitorAlerts;

@Serves(monitorAlerts)
export class MonitorAlertHandlers implements Handlers<C> {
  constructor(private readonly alerts: MonitorAlerts) {}

  listMonitorAlerts({ input, caller }: CallTo<C, 'listMonitorAlerts'>) {
    return this.alerts.listBy(caller.companyId, input);
  }

  acknowledgeMonitorAlert({ input, caller }: CallTo<C, 'acknowledgeMonitorAlert'>) {
    return this.alerts.change(caller, input.alert_id, (row) => acknowledgeAlert(row, Date.now()));
  }

  resolveMonitorAlert({ input, caller }: CallTo<C, 'resolveMonitorAlert'>) {
    return this.alerts.change(caller, input.alert_id, (row) => resolveAlert(row, Date.now()));
  }
}
