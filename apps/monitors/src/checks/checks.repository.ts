import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type CheckRun,
  type CheckRunSummary,
  emission,
  type JsonText,
  type ListQuery,
  monitorEvents,
  notFound,
  type Page,
} from '@signalbox/contracts';
import { CompanyRepository, Database, NOW_MS, type Tx, type View } from '@signalbox/database';
import { type Job, runsEnded } from '@signalbox/platform';
import { MonitorCheckRow } from './check.entity.js';
import { monitorJobs } from '../jobs.js';

const view: View = {
  resource: 'check',
  table: 'monitors.monitor_checks',
  columns: [
    'id',
    'monitor_id',
    'version_number',
    'test_set_id',
    'status',
    'total',
    'matched',
    'mismatched',
    'error_count',
    'cost',
    'completed_at',
    'date_created',
    'date_updated',
  ],
  computed: {
    match_rate: `CASE WHEN t.matched + t.mismatched > 0 THEN t.matched::double precision / (t.matched + t.mismatched) END`,
  },
  detail: {
    items: `COALESCE((SELECT json_agg(json_build_object('test_set_item_id', x.test_set_item_id, 'expected_outcome', x.expected_outcome,
        'outcome', x.outcome, 'failure_class', x.failure_class, 'error_code', x.error_code) ORDER BY x.position, x.test_set_item_id)
      FROM monitors.monitor_check_items x WHERE x.company_id = t.company_id AND x.check_id = t.id AND x.outcome IS NOT NULL), '[]'::json)`,
  },
  sort: { completed_at: 't.completed_at' },
};

/** What a check is created from. */
type NewCheck = Pick<MonitorCheckRow, 'monitor_id' | 'monitor_version_id' | 'version_number' | 'test_set_id'>;

/** The counts of a completed check, as a gate compares them. */
export type GatedCheck = Pick<MonitorCheckRow, 'id' | 'total' | 'matched' | 'mismatched' | 'error_count'> & {
  completed_at: number;
};

/**
 * Rows of checks; each has a job that judges its items.
 *
 * SQL: the end of a check is written under the fence of its job.
 */
@Injectable()
export class MonitorChecks extends CompanyRepository<MonitorCheckRow, CheckRun, CheckRunSummary> {
  constructor(db: Database) {
    super(db, { entity: MonitorCheckRow, view, type: 'monitor_check' });
  }

  add(caller: Caller, values: NewCheck): Promise<JsonText<CheckRun>> {
    return this.db.withCompany(caller, (tx) =>
      this.createIn(tx, { ...values, status: 'CREATED' }, [], (id) => {
        tx.addJob(monitorJobs.runCheck, { checkId: id });
        return Promise.resolve();
      }),
    );
  }

  listOf(companyId: number, monitorId: number, query: ListQuery): Promise<JsonText<Page<CheckRunSummary>>> {
    return this.list(companyId, { ...query, filters: [{ sql: 't.monitor_id = ?', value: monitorId }] });
  }

  /** Reads a check of a monitor; 404 for one of another monitor. */
  async getOf(companyId: number, monitorId: number, id: number): Promise<JsonText<CheckRun>> {
    const check = await this.get(companyId, id);
    if ((JSON.parse(check.text) as CheckRun).monitor_id !== monitorId) throw notFound('check');
    return check;
  }

  /** Completes a running check and emits its event. */
  async complete(job: Job): Promise<void> {
    const id = Number(job.ref);
    await this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      const done = await tx.query(
        `UPDATE monitors.monitor_checks SET status = 'COMPLETED', completed_at = ${NOW_MS}, date_updated = ${NOW_MS}
         WHERE company_id = $1 AND id = $2 AND status = 'RUNNING' RETURNING 1`,
        [tx.companyId, id],
      );
      if (done.length > 0) tx.emit(emission(monitorEvents, 'monitor_check.completed', id, await this.summary(tx, id)));
    });
    runsEnded.inc({ kind: 'monitor_check', status: 'COMPLETED', failure_class: '' });
  }

  /** The newest completed check of a version over a test set; null when there is none. */
  async newest(companyId: number, monitorId: number, version: string, testSetId: number): Promise<GatedCheck | null> {
    const [row] = await this.db.select<GatedCheck>(
      companyId,
      `SELECT r.* FROM s, LATERAL (SELECT t.id, t.total, t.matched, t.mismatched, t.error_count, t.completed_at, t.date_created AS started_at
         FROM monitors.monitor_checks t
         WHERE t.company_id = s.company AND t.monitor_id = $2 AND t.version_number = $3 AND t.test_set_id = $4
           AND t.status = 'COMPLETED' ORDER BY t.completed_at DESC, t.id DESC LIMIT 1) r`,
      [monitorId, version, testSetId],
    );
    return row ?? null;
  }

  private async summary(tx: Tx, id: number): Promise<CheckRunSummary> {
    const record = await tx.read<CheckRun>(view, id);
    const { items: _items, ...summary } = JSON.parse(record?.text ?? '{}') as CheckRun;
    return summary;
  }
}
