import { type AlertRule, type AlertStatus, conflict, emits } from '@signalbox/contracts';

/** The runs of a rule's window, counted. */
export interface AlertMeasure {
  pass: number;
  warning: number;
  fault: number;
  error: number;
  /** Faults in a row among the newest judged runs. */
  consecutive: number;
}

/** The value of a rule's metric; null without a run that counts for it. */
export function valueOf(
  { metric }: AlertRule,
  { pass, warning, fault, error, consecutive }: AlertMeasure,
): number | null {
  const judged = pass + warning + fault;
  if (metric === 'consecutive_faults') return consecutive;
  const all = metric === 'fault_rate' ? judged : judged + error;
  return all === 0 ? null : (metric === 'fault_rate' ? fault : error) / all;
}

/** Whether a rule is met: enough runs in its window, and a value of at least its threshold. */
export function isMet(rule: AlertRule, measure: AlertMeasure): boolean {
  const value = valueOf(rule, measure);
  const runs = measure.pass + measure.warning + measure.fault + (rule.metric === 'error_rate' ? measure.error : 0);
  return value !== null && runs >= rule.min_runs && value >= rule.threshold && value > 0;
}

/** The part of an alert that its rules read. */
export interface AlertState {
  status: AlertStatus;
}

/** Acknowledges an open alert; 409 for a resolved one. */
export function acknowledgeAlert({ status }: AlertState, now: number) {
  if (status === 'acknowledged') return {};
  if (status === 'resolved') throw conflict('the alert is resolved, not open');
  return {
    set: { status: 'acknowledged' as const, acknowledged_at: now },
    events: [emits('monitor_alert.acknowledged')],
  };
}

/** Resolves an alert by hand, which restarts the window of its rule. */
export const resolveAlert = ({ status }: AlertState, now: number) =>
  status === 'resolved'
    ? {}
    : {
        set: { status: 'resolved' as const, resolved_at: now, resolved_by_hand: true },
        events: [emits('monitor_alert.resolved')],
      };
