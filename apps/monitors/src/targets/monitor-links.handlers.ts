import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, monitorLinks } from '@signalbox/contracts';
import { MonitorTargets } from '../monitors/index.js';
import { MonitorReleases } from '../releases/index.js';

type C = typeof monitorLinks;

@Serves(monitorLinks)
export class MonitorLinkHandlers implements Handlers<C> {
  constructor(
    private readonly targets: MonitorTargets,
    private readonly releases: MonitorReleases,
  ) {}

  listWatchingMonitors({ input, caller }: CallTo<C, 'listWatchingMonitors'>) {
    return this.targets.watching(caller.companyId, input.target_type, input.target_id);
  }

  listRunningMonitors({ input, caller }: CallTo<C, 'listRunningMonitors'>) {
    return this.targets.running(caller.companyId, input.workflow_id);
  }

  listReleases({ input: { parent_id, ...query }, caller }: CallTo<C, 'listReleases'>) {
    const filters = parent_id === undefined ? [] : [{ sql: 't.monitor_id = ?', value: parent_id }];
    return this.releases.listFamily(caller.companyId, { ...query, filters });
  }

  listGatedReleases({ input, caller }: CallTo<C, 'listGatedReleases'>) {
    return this.releases.listGated(caller.companyId, input.test_set_id);
  }
}
