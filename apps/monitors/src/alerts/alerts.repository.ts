import { Injectable } from '@nestjs/common';
import { type AlertRule, emission, type MonitorAlert, monitorEvents } from '@signalbox/contracts';
import { CompanyRepository, Database, type Tx, type View } from '@signalbox/database';
import { MonitorAlertRow } from './alert.entity.js';
import { type AlertMeasure, isMet, valueOf } from './alert.js';
import { monitorJobs } from '../jobs.js';

const COLUMNS = [
  'id',
  'monitor_id',
  'rule',
  'status',
  'opened_at',
  'acknowledged_at',
  'resolved_at',
  'value',
  'run_ids',
  'date_created',
  'date_updated',
];

const view: View = {
  resource: 'alert',
  table: 'monitors.monitor_alerts',
  columns: COLUMNS,
  sort: { opened_at: 't.opened_at', status: 't.status' },
};

const FIELDS = COLUMNS.map((column) => `t.${column}`).join(', ');
const SHOWN_RUNS = 20;

/** A rule of a monitor with the alert that it has opened and not resolved, if any. */
interface RuleRow {
  monitor_id: number;
  /** Null for an open alert whose rule was removed. */
  rule: AlertRule | null;
  rule_key: string;
  open_id: number | null;
}

/** The measure of a window with the time at which it begins. */
interface WindowMeasure extends AlertMeasure {
  start: number;
}

/**
 * Alerts of monitors.
 *
 * SQL: a rule is measured by aggregates over an index of the runs, and an alert is opened once by a partial unique index.
 */
@Injectable()
export class MonitorAlerts extends CompanyRepository<MonitorAlertRow, MonitorAlert> {
  constructor(db: Database) {
    super(db, { entity: MonitorAlertRow, view, type: 'monitor_alert' });
  }

  /** Adds a job for each of the monitors that has rules; jobs that wait already are not repeated. */
  async schedule(tx: Tx, monitorIds: readonly number[]): Promise<void> {
    const found = await tx.query<{ id: number }>(
      `SELECT id FROM monitors.monitors WHERE company_id = $1 AND id = ANY($2::int[]) AND alert_rules <> '[]'`,
      [tx.companyId, monitorIds],
    );
    for (const { id } of found) tx.addJob(monitorJobs.evaluateAlerts, { monitorId: id });
  }

  /** Opens and resolves the alerts of monitors whose runs, or the time, have changed what their rules measure. */
  async evaluate(tx: Tx, monitorIds: readonly number[]): Promise<void> {
    for (const { monitor_id, rule, rule_key, open_id } of await this.rulesOf(tx, monitorIds)) {
      const measure = rule && (await this.measure(tx, monitor_id, rule, rule_key));
      if (rule && measure && isMet(rule, measure)) {
        if (open_id === null) await this.open(tx, monitor_id, { rule, rule_key }, measure);
      } else if (open_id !== null) await this.end(tx, open_id);
    }
  }

  private rulesOf(tx: Tx, monitorIds: readonly number[]): Promise<RuleRow[]> {
    return tx.query<RuleRow>(
      `WITH rules AS (SELECT t.id AS monitor_id, r AS rule, md5(r::text) AS rule_key FROM monitors.monitors t, jsonb_array_elements(t.alert_rules) r
         WHERE t.company_id = $1 AND t.id = ANY($2::int[]) AND t.deleted_at IS NULL),
       open AS (SELECT a.id AS open_id, a.monitor_id, a.rule_key FROM monitors.monitor_alerts a
         WHERE a.company_id = $1 AND a.monitor_id = ANY($2::int[]) AND a.status <> 'resolved')
       SELECT DISTINCT monitor_id, r.rule, rule_key, o.open_id FROM rules r FULL JOIN open o USING (monitor_id, rule_key)
       ORDER BY monitor_id, rule_key`,
      [tx.companyId, monitorIds],
    );
  }

  /** Measures the window of a rule, which restarts when its alert is resolved by hand. */
  private async measure(tx: Tx, monitorId: number, rule: AlertRule, key: string): Promise<WindowMeasure | null> {
    const [row] = await tx.query<WindowMeasure>(
      `WITH since AS (SELECT GREATEST((extract(epoch from clock_timestamp()) * 1000)::bigint - $3::bigint, COALESCE((SELECT max(a.resolved_at) + 1
           FROM monitors.monitor_alerts a WHERE a.company_id = $1 AND a.monitor_id = $2 AND a.rule_key = $4 AND a.resolved_by_hand), 0)) AS start),
       runs AS (SELECT t.id, t.outcome FROM monitors.monitor_runs t, since
         WHERE t.company_id = $1 AND t.monitor_id = $2 AND t.date_created >= since.start AND t.outcome IS NOT NULL AND NOT t.shadow),
       newest AS (SELECT r.outcome, row_number() OVER (ORDER BY r.id DESC) AS n FROM runs r
         WHERE r.outcome <> 'ERROR' AND $5::boolean ORDER BY r.id DESC LIMIT $6)
       SELECT count(*) FILTER (WHERE outcome = 'PASS')::int AS pass, count(*) FILTER (WHERE outcome = 'WARNING')::int AS warning,
         count(*) FILTER (WHERE outcome = 'FAULT')::int AS fault, count(*) FILTER (WHERE outcome = 'ERROR')::int AS error,
         COALESCE((SELECT min(n) - 1 FROM newest WHERE outcome <> 'FAULT'), (SELECT count(*) FROM newest))::int AS consecutive,
         (SELECT start FROM since) AS start
       FROM runs`,
      [
        tx.companyId,
        monitorId,
        rule.window_ms,
        key,
        rule.metric === 'consecutive_faults',
        rule.metric === 'consecutive_faults' ? rule.threshold : 0,
      ],
    );
    return row ?? null;
  }

  private async open(
    tx: Tx,
    monitorId: number,
    { rule, rule_key }: { rule: AlertRule; rule_key: string },
    measure: WindowMeasure,
  ) {
    const [alert] = await tx.query<MonitorAlert>(
      `INSERT INTO monitors.monitor_alerts AS t (company_id, monitor_id, rule, rule_key, status, opened_at, value, run_ids)
       VALUES ($1, $2, $3, $4, 'open', $5, $6, (SELECT COALESCE(jsonb_agg(x.id ORDER BY x.id DESC), '[]') FROM (
         SELECT r.id FROM monitors.monitor_runs r WHERE r.company_id = $1 AND r.monitor_id = $2 AND r.outcome = $7 AND NOT r.shadow
           AND r.date_created >= $8::bigint ORDER BY r.id DESC LIMIT ${SHOWN_RUNS}) x))
       ON CONFLICT (company_id, monitor_id, rule_key) WHERE status <> 'resolved' DO NOTHING RETURNING ${FIELDS}`,
      [
        tx.companyId,
        monitorId,
        JSON.stringify(rule),
        rule_key,
        Date.now(),
        valueOf(rule, measure) ?? 0,
        rule.metric === 'error_rate' ? 'ERROR' : 'FAULT',
        measure.start,
      ],
    );
    if (alert) tx.emit(emission(monitorEvents, 'monitor_alert.opened', alert.id, alert));
  }

  private async end(tx: Tx, id: number): Promise<void> {
    const [alert] = await tx.query<MonitorAlert>(
      `UPDATE monitors.monitor_alerts t SET status = 'resolved', resolved_at = $3, date_updated = $3
       WHERE company_id = $1 AND id = $2 AND status <> 'resolved' RETURNING ${FIELDS}`,
      [tx.companyId, id, Date.now()],
    );
    if (alert) tx.emit(emission(monitorEvents, 'monitor_alert.resolved', alert.id, alert));
  }

  /** The monitors with an alert that is not resolved, by company. */
  unresolved(): Promise<{ company_id: number; monitor_ids: number[] }[]> {
    return this.db.asWorker(
      `SELECT company_id, array_agg(DISTINCT monitor_id) AS monitor_ids FROM monitors.monitor_alerts
       WHERE status <> 'resolved' GROUP BY company_id`,
    );
  }
}
