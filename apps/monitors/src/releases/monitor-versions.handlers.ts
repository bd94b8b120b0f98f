import { Serves } from '@signalbox/bus';
import { monitorVersions, type Caller, type CallTo, type Handlers, refused } from '@signalbox/contracts';
import { ConfigChecks } from '../monitors/index.js';
import { MonitorReleases } from './releases.repository.js';
import { MonitorVersions } from '../versions/index.js';

type C = typeof monitorVersions;

@Serves(monitorVersions)
export class MonitorVersionHandlers implements Handlers<C> {
  constructor(
    private readonly versions: MonitorVersions,
    private readonly releases: MonitorReleases,
    private readonly checks: ConfigChecks,
  ) {}

  async publishVersion({ input, caller }: CallTo<C, 'publishVersion'>) {
    await this.requirePublishable(input.monitor_id, caller);
    return this.versions.publish(caller, input.monitor_id, input.increment, input.version_notes);
  }

  /** Throws 422 that names what keeps the draft from judging. */
  private async requirePublishable(monitorId: number, caller: Caller): Promise<void> {
    const { snapshot } = await this.versions.draft(caller.companyId, monitorId);
    const found = await this.checks.problemsOf(snapshot.config, caller);
    if (found.length > 0)
      throw refused(`the draft cannot be published: ${found[0]?.field} ${found[0]?.message}`, found);
  }

  listVersions({ input, caller }: CallTo<C, 'listVersions'>) {
    return this.versions.list(caller.companyId, input.monitor_id, input);
  }

  diffVersions({ input, caller }: CallTo<C, 'diffVersions'>) {
    return this.versions.diff(caller.companyId, input.monitor_id, input.from, input.to);
  }

  getVersion({ input, caller }: CallTo<C, 'getVersion'>) {
    return this.versions.get(caller.companyId, input.monitor_id, input.version, input.include_snapshot);
  }

  restoreVersion({ input, caller }: CallTo<C, 'restoreVersion'>) {
    return this.versions.restore(caller, input.monitor_id, input.version);
  }

  listReleases({ input, caller }: CallTo<C, 'listReleases'>) {
    return this.releases.list(caller.companyId, input.monitor_id, input);
  }

  createRelease({ input: { monitor_id, name, ...input }, caller }: CallTo<C, 'createRelease'>) {
    return this.releases.create(caller, monitor_id, name, input);
  }

  getRelease({ input, caller }: CallTo<C, 'getRelease'>) {
    return this.releases.get(caller.companyId, input.monitor_id, input.release_name);
  }

  updateRelease({ input: { monitor_id, release_name, ...input }, caller }: CallTo<C, 'updateRelease'>) {
    return this.releases.update(caller, monitor_id, release_name, input);
  }

  deleteRelease({ input, caller }: CallTo<C, 'deleteRelease'>) {
    return this.releases.delete(caller, input.monitor_id, input.release_name);
  }

  checkRelease({ input: { monitor_id, release_name, version }, caller }: CallTo<C, 'checkRelease'>) {
    return this.releases.check(caller, monitor_id, release_name, version);
  }

  listReleaseMoves({ input: { monitor_id, release_name, ...query }, caller }: CallTo<C, 'listReleaseMoves'>) {
    return this.releases.listMoves(caller.companyId, monitor_id, release_name, query);
  }
}
