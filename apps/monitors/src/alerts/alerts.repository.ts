import { Injectable } from '@nestjs/common';
import { type AlertRule, emission, type MonitorAlert, monitorEvents } from '@signalbox/contracts';
import { CompanyRepository, Database, type Tx } from '@signalbox/database';
import { countedValues, spanSince } from '../activity/index.js';
import { MonitorAlertRow } from './alert.entity.js';
import { type AlertMeasure, isMet, valueOf } from './alert.js';
import { monitorJobs } from '../jobs.js';
import {
  COMPANIES_WITH_ALERTS,
  MONITORS_TO_EVALUATE,
  MONITORS_WITH_RULES,
  RULES_AND_OPEN_ALERTS,
  FAULTS_IN_A_ROW,
  OPEN_ALERT,
  RESOLVE_ALERT,
  RUNS_BY_OUTCOME,
  WINDOW_OF_RULE,
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

interface Window {
  start: number;
  now: number;
}

type WindowMeasure = AlertMeasure & Pick<Window, 'start'>;
type RunCounts = Omit<AlertMeasure, 'consecutive'>;

/** Of one transaction. */
const MONITORS_AT_ONCE = 50;

const NO_RUNS: RunCounts = { pass: 0, warning: 0, fault: 0, error: 0 };

/** SQL: a rule is measured by the counts of runs, and a partial unique index keeps it from opening two alerts. */
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
  private async measure(tx: Tx, monitorId: number, rule: AlertRule, key: string): Promise<WindowMeasure> {
    const [found] = await tx.query<Window>(WINDOW_OF_RULE, [tx.companyId, monitorId, rule.window_ms, key]);
    const { start = 0, now = Date.now() } = found ?? {};
    const values = countedValues({ span: spanSince(start, now), monitorId });
    const [counts] = await tx.query<RunCounts>(RUNS_BY_OUTCOME, [tx.companyId, ...values]);
    const consecutive = rule.metric === 'consecutive_faults' ? await this.faultsInARow(tx, monitorId, start, rule) : 0;
    return { ...(counts ?? NO_RUNS), consecutive, start };
  }

  private async faultsInARow(tx: Tx, monitorId: number, start: number, { threshold }: AlertRule): Promise<number> {
    const [row] = await tx.query<Pick<AlertMeasure, 'consecutive'>>(FAULTS_IN_A_ROW, [
      tx.companyId,
      monitorId,
      start,
      threshold,
    ]);
    return row?.consecutive ?? 0;
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

  /** With monitors that `evaluateNext` evaluates. */
  async companies(): Promise<number[]> {
    const rows = await this.db.asWorker<{ company_id: number }>(COMPANIES_WITH_ALERTS);
    return rows.map(({ company_id }) => company_id);
  }

  /** Some monitors above this id; the last of them, or null when there are no more. */
  evaluateNext(companyId: number, above: number): Promise<number | null> {
    return this.db.withCompany({ companyId }, async (tx) => {
      const rows = await tx.query<{ id: number }>(MONITORS_TO_EVALUATE, [companyId, above, MONITORS_AT_ONCE]);
      const ids = rows.map(({ id }) => id);
      await this.evaluate(tx, ids);
      return ids.length < MONITORS_AT_ONCE ? null : (ids.at(-1) ?? null);
    });
  }
}
