import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, monitorRuns } from '@signalbox/contracts';
import { filtersOf } from '@signalbox/database';
import { Monitors } from '../monitors/index.js';
import { runFilters } from './run-filters.view.js';
import { RunRetry } from './run-retry.js';
import { Runs } from './runs.repository.js';
import { view } from './runs.sql.js';

type C = typeof monitorRuns;

@Serves(monitorRuns)
export class MonitorRunHandlers implements Handlers<C> {
  constructor(
    private readonly monitors: Monitors,
    private readonly runs: Runs,
    private readonly retries: RunRetry,
  ) {}

  listAllMonitorRuns({ input, caller }: CallTo<C, 'listAllMonitorRuns'>) {
    return this.runs.list(caller.companyId, { ...input, filters: runFilters(input) }, input.include_body ?? false);
  }

  listRunsBySource({ input, caller }: CallTo<C, 'listRunsBySource'>) {
    const { source_type, source_id } = input;
    const filters = filtersOf(view, { source_kind: source_type, source_id });
    return this.runs.list(caller.companyId, { ...input, filters }, input.include_body ?? false);
  }

  getAnyMonitorRun({ input, caller }: CallTo<C, 'getAnyMonitorRun'>) {
    return this.runs.get(caller.companyId, null, input.run_id);
  }

  async listMonitorRuns({ input, caller }: CallTo<C, 'listMonitorRuns'>) {
    await this.monitors.row(caller.companyId, input.monitor_id);
    return this.runs.list(caller.companyId, { ...input, filters: runFilters(input) }, input.include_body ?? false);
  }

  getMonitorRun({ input, caller }: CallTo<C, 'getMonitorRun'>) {
    return this.runs.get(caller.companyId, input.monitor_id, input.run_id);
  }

  retryMonitorRun({ input, caller }: CallTo<C, 'retryMonitorRun'>) {
    return this.retries.retry(caller, input.monitor_id, input.run_id);
  }
}
