import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, monitorChecks } from '@signalbox/contracts';
import { Budgets } from '../budgets/index.js';
import { Monitors } from '../monitors/index.js';
import { type MonitorSnapshot, MonitorVersions } from '../versions/index.js';
import type { MonitorCheckRow } from './check.entity.js';
import { CheckedSets } from './checked-sets.js';
import { MonitorChecks } from './checks.repository.js';

type C = typeof monitorChecks;
type FullVersion = Pick<MonitorCheckRow, 'version_number'> & { id: number; snapshot: MonitorSnapshot };

@Serves(monitorChecks)
export class MonitorCheckHandlers implements Handlers<C> {
  constructor(
    private readonly checks: MonitorChecks,
    private readonly monitors: Monitors,
    private readonly versions: MonitorVersions,
    private readonly sets: CheckedSets,
    private readonly budgets: Budgets,
  ) {}

  async listMonitorChecks({ input: { monitor_id, ...query }, caller }: CallTo<C, 'listMonitorChecks'>) {
    await this.monitors.row(caller.companyId, monitor_id);
    return this.checks.listOf(caller.companyId, monitor_id, query);
  }

  async createMonitorCheck({ input: { monitor_id, version, test_set_id }, caller }: CallTo<C, 'createMonitorCheck'>) {
    const { text } = await this.versions.get(caller.companyId, monitor_id, version, true);
    const { id: monitor_version_id, version_number, snapshot } = JSON.parse(text) as FullVersion;
    await this.sets.require(test_set_id, caller);
    await this.budgets.requireOpen(caller.companyId, { monitor_id, limits: snapshot.config.limits });
    return this.checks.add(caller, { monitor_id, test_set_id, monitor_version_id, version_number });
  }

  getMonitorCheck({ input: { monitor_id, check_id }, caller }: CallTo<C, 'getMonitorCheck'>) {
    return this.checks.getOf(caller.companyId, monitor_id, check_id);
  }
}
