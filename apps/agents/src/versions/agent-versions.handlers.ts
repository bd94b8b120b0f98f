import { Serves } from '@signalbox/bus';
import { agentVersions, type CallTo, type Handlers } from '@signalbox/contracts';
import { AgentReleases } from './releases.repository.js';
import { AgentVersions } from './versions.repository.js';

type C = typeof agentVersions;

/** Versions and releases of agents. */
@Serves(agentVersions)
export class AgentVersionHandlers implements Handlers<C> {
  constructor(
    private readonly versions: AgentVersions,
    private readonly releases: AgentReleases,
  ) {}

  publishVersion({ input, caller }: CallTo<C, 'publishVersion'>) {
    return this.versions.publish(caller, input.agent_id, input.increment, input.version_notes);
  }

  listVersions({ input, caller }: CallTo<C, 'listVersions'>) {
    return this.versions.list(caller.companyId, input.agent_id, input);
  }

  diffVersions({ input, caller }: CallTo<C, 'diffVersions'>) {
    return this.versions.diff(caller.companyId, input.agent_id, input.from, input.to);
  }

  getVersion({ input, caller }: CallTo<C, 'getVersion'>) {
    return this.versions.get(caller.companyId, input.agent_id, input.version, input.include_snapshot);
  }

  restoreVersion({ input, caller }: CallTo<C, 'restoreVersion'>) {
    return this.versions.restore(caller, input.agent_id, input.version);
  }

  listReleases({ input, caller }: CallTo<C, 'listReleases'>) {
    return this.releases.list(caller.companyId, input.agent_id, input);
  }

  createRelease({ input: { agent_id, name, ...wish }, caller }: CallTo<C, 'createRelease'>) {
    return this.releases.create(caller, agent_id, name, wish);
  }

  getRelease({ input, caller }: CallTo<C, 'getRelease'>) {
    return this.releases.get(caller.companyId, input.agent_id, input.name);
  }

  updateRelease({ input: { agent_id, name, ...wish }, caller }: CallTo<C, 'updateRelease'>) {
    return this.releases.update(caller, agent_id, name, wish);
  }

  deleteRelease({ input, caller }: CallTo<C, 'deleteRelease'>) {
    return this.releases.delete(caller, input.agent_id, input.name);
  }

  listReleaseMoves({ input: { agent_id, name, ...query }, caller }: CallTo<C, 'listReleaseMoves'>) {
    return this.releases.listMoves(caller.companyId, agent_id, name, query);
  }
}
