import { Injectable } from '@nestjs/common';
import {
  type Caller,
  conflict,
  type JsonText,
  type ListedMonitorRun,
  type MonitorConfig,
  type MonitorRun,
  notFound,
  type Page,
  type SourceType,
} from '@signalbox/contracts';
import { Database, type ListOptions, type View } from '@signalbox/database';
import { RUN_COLUMNS } from '../judging/index.js';

const BODIES = { resolution_trace: `COALESCE(t.resolution_trace, '[]'::json)`, runner_output: 't.runner_output' };

const view: View = {
  resource: 'run',
  table: 'monitors.monitor_runs',
  keyType: 'bigint',
  columns: RUN_COLUMNS,
  detail: BODIES,
  alive: 't.outcome IS NOT NULL',
  search: ['t.source_id', 't.error_message'],
  sort: { date_updated: 't.date_created', duration_ms: 't.runner_duration_ms', cost: 't.cost' },
};
const withBodies: View = { ...view, bodies: BODIES, detail: {} };

/** What a run is judged by again. */
export interface RepeatableRun {
  id: number;
  monitor_id: number;
  outcome: string;
  attempts: number;
  source_type: SourceType;
  source_id: string;
  config: MonitorConfig;
}

/** Runs of monitors as they are read. */
@Injectable()
export class Runs {
  constructor(private readonly db: Database) {}

  list(companyId: number, options: ListOptions, bodies: boolean): Promise<JsonText<Page<ListedMonitorRun>>> {
    return this.db.list<ListedMonitorRun>(bodies ? withBodies : view, companyId, options);
  }

  /** Reads a run of the monitor, or of any when none is named. */
  async get(companyId: number, monitorId: number | null, id: number): Promise<JsonText<MonitorRun>> {
    const run = await this.db.readOne<MonitorRun>(view, companyId, id);
    if (!run) throw notFound('run');
    if (monitorId !== null && (JSON.parse(run.text) as MonitorRun).monitor_id !== monitorId) throw notFound('run');
    return run;
  }

  /** A run that ended as ERROR with the configuration of its version; 409 for any other outcome. */
  async repeatable(caller: Caller, monitorId: number, id: number): Promise<RepeatableRun> {
    const [run] = await this.db.select<RepeatableRun>(
      caller.companyId,
      `SELECT x.* FROM s, LATERAL (SELECT r.id, r.monitor_id, r.outcome, r.attempts, r.source_type, r.source_id, v.snapshot->'config' AS config
         FROM monitors.monitor_runs r JOIN monitors.monitor_versions v ON v.company_id = r.company_id AND v.id = r.monitor_version_id
         WHERE r.company_id = s.company AND r.monitor_id = $2 AND r.id = $3 AND r.outcome IS NOT NULL OFFSET 0) x`,
      [monitorId, id],
    );
    if (!run) throw notFound('run');
    if (run.outcome !== 'ERROR') throw conflict(`run ${id} is ${run.outcome}, not ERROR`);
    return run;
  }
}
