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
import { CompanyRepository, Database, type Tx, filtersOf } from '@signalbox/database';
import { type Job, runsEnded } from '@signalbox/platform';
import { MonitorCheckRow } from './check.entity.js';
import { monitorJobs } from '../jobs.js';
import { COMPLETE_CHECK, NEWEST_CHECK, view } from './checks.sql.js';

type NewCheck = Pick<MonitorCheckRow, 'monitor_id' | 'monitor_version_id' | 'version_number' | 'test_set_id'>;

/** What a gate compares. */
export type GatedCheck = Pick<MonitorCheckRow, 'id' | 'total' | 'matched' | 'mismatched' | 'error_count'> & {
  completed_at: number;
};

/** SQL: the end of a check is written under the fence of its job. */
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
    return this.list(companyId, { ...query, filters: filtersOf(view, { monitor_id: monitorId }) });
  }

  /** Throws 404 for a check of another monitor. */
  async getOf(companyId: number, monitorId: number, id: number): Promise<JsonText<CheckRun>> {
    const check = await this.get(companyId, id);
    if ((JSON.parse(check.text) as CheckRun).monitor_id !== monitorId) throw notFound('check');
    return check;
  }

  async complete(job: Job): Promise<void> {
    const id = Number(job.ref);
    await this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      const done = await tx.query(COMPLETE_CHECK, [tx.companyId, id]);
      if (done.length > 0) tx.emit(emission(monitorEvents, 'monitor_check.completed', id, await this.summary(tx, id)));
    });
    runsEnded.inc({ kind: 'monitor_check', status: 'COMPLETED', failure_class: '' });
  }

  /** The newest completed check; null without one. */
  async newest(companyId: number, monitorId: number, version: string, testSetId: number): Promise<GatedCheck | null> {
    const [row] = await this.db.select<GatedCheck>(companyId, NEWEST_CHECK, [monitorId, version, testSetId]);
    return row ?? null;
  }

  private async summary(tx: Tx, id: number): Promise<CheckRunSummary> {
    const record = await tx.read<CheckRun>(view, id);
    const { items: _items, ...summary } = JSON.parse(record?.text ?? '{}') as CheckRun;
    return summary;
  }
}
