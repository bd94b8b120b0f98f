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
import { Database, type ListOptions } from '@signalbox/database';
import { REPEATABLE_RUN, view, withBodies } from './runs.sql.js';

export interface RepeatableRun {
  id: number;
  monitor_id: number;
  outcome: string;
  attempts: number;
  source_type: SourceType;
  source_id: string;
  config: MonitorConfig;
}

@Injectable()
export class Runs {
  constructor(private readonly db: Database) {}

  list(companyId: number, options: ListOptions, bodies: boolean): Promise<JsonText<Page<ListedMonitorRun>>> {
    return this.db.list<ListedMonitorRun>(bodies ? withBodies : view, companyId, options);
  }

  /** `monitorId` null: a run of any monitor. */
  async get(companyId: number, monitorId: number | null, id: number): Promise<JsonText<MonitorRun>> {
    const run = await this.db.readOne<MonitorRun>(view, companyId, id);
    if (!run) throw notFound('run');
    if (monitorId !== null && (JSON.parse(run.text) as MonitorRun).monitor_id !== monitorId) throw notFound('run');
    return run;
  }

  /** Throws 409 unless the outcome of the run is ERROR. */
  async repeatable(caller: Caller, monitorId: number, id: number): Promise<RepeatableRun> {
    const [run] = await this.db.select<RepeatableRun>(caller.companyId, REPEATABLE_RUN, [monitorId, id]);
    if (!run) throw notFound('run');
    if (run.outcome !== 'ERROR') throw conflict(`run ${id} is ${run.outcome}, not ERROR`);
    return run;
  }
}
