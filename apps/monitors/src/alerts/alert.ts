import { type AlertRule, type AlertStatus, conflict, emits } from '@signalbox/contracts';

export interface AlertMeasure {
  pass: number;
  warning: number;
  fault: number;
  error: number;
  /** Faults in a row among the newest judged runs. */
  consecutive: number;
}

/** The metric of a rule; null without a run that counts for it. */
export function valueOf(
  { metric }: AlertRule,
  { pass, warning, fault, error, consecutive }: AlertMeasure,
): number | null {
  const judged = pass + warning + fault;
  if (metric === 'consecutive_faults') return consecutive;
  const all = metric === 'fault_rate' ? judged : judged + error;
  return all === 0 ? null : (metric === 'fault_rate' ? fault : error) / all;
}

export function isMet(rule: AlertRule, measure: AlertMeasure): boolean {
  const value = valueOf(rule, measure);
  const runs = measure.pass + measure.warning + measure.fault + (rule.metric === 'error_rate' ? measure.error : 0);
  return value !== null && runs >= rule.min_runs && value >= rule.threshold && value > 0;
}

export interface AlertState {
  status: AlertStatus;
}

/** Throws 409 for a resolved alert. */
export function acknowledgeAlert({ status }: AlertState, now: number) {
  if (status === 'acknowledged') return {};
  if (status === 'resolved') throw conflict('the alert is resolved, not open');
  return {
    set: { status: 'acknowledged' as const, acknowledged_at: now },
    events: [emits('monitor_alert.acknowledged')],
  };
}

/** Resolving by hand restarts the window of the rule. */
export const resolveAlert = ({ status }: AlertState, now: number) =>
  status === 'resolved'
    ? {}
    : {
        set: { status: 'resolved' as const, resolved_at: now, resolved_by_hand: true },
        events: [emits('monitor_alert.resolved')],
      };
