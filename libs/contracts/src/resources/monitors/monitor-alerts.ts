import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { Epoch, Id, List, Nested, Nullable, Num, OneOf, Optional } from '../../fields/fields.js';
import { intType, oneOfType } from '../../fields/field-types.js';
import { TimedListQuery } from '../../shapes.js';
import { AlertRule } from './monitors.js';

export const ALERT_STATUSES = ['open', 'acknowledged', 'resolved'] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

/** A rule of a monitor that was met. */
export class MonitorAlert {
  @Id() id!: number;
  @Id() monitor_id!: number;
  @Nested(() => AlertRule) rule!: AlertRule;
  @OneOf(ALERT_STATUSES) status!: AlertStatus;
  @Epoch() opened_at!: number;
  @Epoch() @Nullable() acknowledged_at!: number | null;
  @Epoch() @Nullable() resolved_at!: number | null;
  @Num(0) value!: number;
  @List(intType(1, Number.MAX_SAFE_INTEGER), 0, 20) run_ids!: number[];
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

class ListAlerts extends TimedListQuery {
  @Id() @Optional() monitor_id?: number;
  @List(oneOfType(ALERT_STATUSES), 1) @Optional() status?: AlertStatus[];
}
class AlertPath {
  @Id() alert_id!: number;
}

/** Alerts of monitors (docs/api/README.md). */
export const monitorAlerts = defineContract(
  { name: 'monitor-alerts', service: 'monitors', tag: 'Monitors' },
  {
    listMonitorAlerts: {
      get: '/monitors/alerts',
      summary: 'List the alerts of monitors',
      input: ListAlerts,
      output: page(MonitorAlert),
    },
    acknowledgeMonitorAlert: {
      put: '/monitors/alerts/{alert_id}/acknowledge',
      summary: 'Note that a person looks after an open alert',
      errors: ['conflict'],
      input: AlertPath,
      output: MonitorAlert,
      http: { exactMethod: true },
    },
    resolveMonitorAlert: {
      put: '/monitors/alerts/{alert_id}/resolve',
      summary: 'Resolve an alert; it opens again only for later runs',
      input: AlertPath,
      output: MonitorAlert,
      http: { exactMethod: true },
    },
  },
);
