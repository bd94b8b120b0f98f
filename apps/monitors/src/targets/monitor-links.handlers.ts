import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, monitorLinks } from '@signalbox/contracts';
import { MonitorTargets } from './targets.repository.js';

type C = typeof monitorLinks;

/** References from monitors to the resources of other services. */
@Serves(monitorLinks)
export class MonitorLinkHandlers implements Handlers<C> {
  constructor(private readonly targets: MonitorTargets) {}

  listWatchingMonitors({ input, caller }: CallTo<C, 'listWatchingMonitors'>) {
    return this.targets.watching(caller.companyId, input.target_type, input.target_id);
  }
}
