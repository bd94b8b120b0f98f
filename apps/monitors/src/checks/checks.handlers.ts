import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, monitorChecks, type MonitorVersion } from '@signalbox/contracts';
import { Monitors } from '../monitors/monitors.repository.js';
import { MonitorVersions } from '../versions/versions.repository.js';
import { CheckedSets } from './checked-sets.js';
import { MonitorChecks } from './checks.repository.js';

type C = typeof monitorChecks;

/** Checks of versions of monitors against test sets. */
@Serves(monitorChecks)
export class MonitorCheckHandlers implements Handlers<C> {
  constructor(
    private readonly checks: MonitorChecks,
    private readonly monitors: Monitors,
    private readonly versions: MonitorVersions,
    private readonly sets: CheckedSets,
  ) {}

  async listMonitorChecks({ input: { monitor_id, ...query }, caller }: CallTo<C, 'listMonitorChecks'>) {
    await this.monitors.row(caller.companyId, monitor_id);
    return this.checks.listOf(caller.companyId, monitor_id, query);
  }

  async createMonitorCheck({ input: { monitor_id, version, test_set_id }, caller }: CallTo<C, 'createMonitorCheck'>) {
    const { text } = await this.versions.get(caller.companyId, monitor_id, version, false);
    const { id: monitor_version_id, version_number } = JSON.parse(text) as MonitorVersion;
    await this.sets.require(test_set_id, caller);
    return this.checks.add(caller, { monitor_id, test_set_id, monitor_version_id, version_number });
  }

  getMonitorCheck({ input: { monitor_id, check_id }, caller }: CallTo<C, 'getMonitorCheck'>) {
    return this.checks.getOf(caller.companyId, monitor_id, check_id);
  }
}
