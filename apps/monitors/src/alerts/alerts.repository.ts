import { Injectable } from '@nestjs/common';
import { type AlertRule, emission, type MonitorAlert, monitorEvents } from '@signalbox/contracts';
import { CompanyRepository, Database, type Tx } from '@signalbox/database';
import { MonitorAlertRow } from './alert.entity.js';
import { type AlertMeasure, isMet, valueOf } from './alert.js';
import { monitorJobs } from '../jobs.js';
import {
  MONITORS_WITH_RULES,
  RULES_AND_OPEN_ALERTS,
  MEASURE_RULES,
  OPEN_ALERT,
  RESOLVE_ALERT,
  UNRESOLVED_ALERTS,
  view,
} from './alerts.sql.js';

/** A rule and its unresolved alert, if any. */
interface RuleRow {
  monitor_id: number;
  /** Null for an open alert whose rule was removed. */
  rule: AlertRule | null;
  rule_key: string;
  open_id: number | null;
}

interface WindowMeasure extends AlertMeasure {
  start: number;
}

/**
 * SQL: a rule is measured by aggregates over an index of the runs, and a partial unique index keeps it from opening two
 * alerts.
 */
@Injectable()
export class MonitorAlerts extends CompanyRepository<MonitorAlertRow, MonitorAlert> {
  constructor(db: Database) {
    super(db, { entity: MonitorAlertRow, view, type: 'monitor_alert' });
  }

  /** For monitors with rules; jobs that already wait are not repeated. */
  async schedule(tx: Tx, monitorIds: readonly number[]): Promise<void> {
    const found = await tx.query<{ id: number }>(MONITORS_WITH_RULES, [tx.companyId, monitorIds]);
    for (const { id } of found) tx.addJob(monitorJobs.evaluateAlerts, { monitorId: id });
  }

  async evaluate(tx: Tx, monitorIds: readonly number[]): Promise<void> {
    for (const { monitor_id, rule, rule_key, open_id } of await this.rulesOf(tx, monitorIds)) {
      const measure = rule && (await this.measure(tx, monitor_id, rule, rule_key));
      if (rule && measure && isMet(rule, measure)) {
        if (open_id === null) await this.open(tx, monitor_id, { rule, rule_key }, measure);
      } else if (open_id !== null) await this.end(tx, open_id);
    }
  }

  private rulesOf(tx: Tx, monitorIds: readonly number[]): Promise<RuleRow[]> {
    return tx.query<RuleRow>(RULES_AND_OPEN_ALERTS, [tx.companyId, monitorIds]);
  }

  /** The window starts anew when the alert is resolved by hand. */
  private async measure(tx: Tx, monitorId: number, rule: AlertRule, key: string): Promise<WindowMeasure | null> {
    const [row] = await tx.query<WindowMeasure>(MEASURE_RULES, [
      tx.companyId,
      monitorId,
      rule.window_ms,
      key,
      rule.metric === 'consecutive_faults',
      rule.metric === 'consecutive_faults' ? rule.threshold : 0,
    ]);
    return row ?? null;
  }

  private async open(
    tx: Tx,
    monitorId: number,
    { rule, rule_key }: { rule: AlertRule; rule_key: string },
    measure: WindowMeasure,
  ) {
    const [alert] = await tx.query<MonitorAlert>(OPEN_ALERT, [
      tx.companyId,
      monitorId,
      JSON.stringify(rule),
      rule_key,
      Date.now(),
      valueOf(rule, measure) ?? 0,
      rule.metric === 'error_rate' ? 'ERROR' : 'FAULT',
      measure.start,
    ]);
    if (alert) tx.emit(emission(monitorEvents, 'monitor_alert.opened', alert.id, alert));
  }

  private async end(tx: Tx, id: number): Promise<void> {
    const [alert] = await tx.query<MonitorAlert>(RESOLVE_ALERT, [tx.companyId, id, Date.now()]);
    if (alert) tx.emit(emission(monitorEvents, 'monitor_alert.resolved', alert.id, alert));
  }

  /** Monitors with unresolved alerts by company. */
  unresolved(): Promise<{ company_id: number; monitor_ids: number[] }[]> {
    return this.db.asWorker(UNRESOLVED_ALERTS);
  }
}
