import { Serves } from '@signalbox/bus';
import {
  agentVersions,
  type Caller,
  type CallTo,
  conflict,
  type Handlers,
  invalidField,
  refused,
} from '@signalbox/contracts';
import { ActionWorkflows } from '../actions/index.js';
import { Agents, type AgentSnapshot, hasNoDraft } from '../drafts/index.js';
import { KnownModels } from '../models/index.js';
import { modelsOf, publishProblems } from './publishable.js';
import { AgentReleases } from './releases.repository.js';
import { AgentVersions, DraftChangedError } from './versions.repository.js';

type C = typeof agentVersions;

/** How often a draft is checked that changes meanwhile. */
const MAX_CHECKS = 5;

@Serves(agentVersions)
export class AgentVersionHandlers implements Handlers<C> {
  constructor(
    private readonly agents: Agents,
    private readonly versions: AgentVersions,
    private readonly releases: AgentReleases,
    private readonly models: KnownModels,
    private readonly workflows: ActionWorkflows,
  ) {}

  async publishVersion({ input, caller }: CallTo<C, 'publishVersion'>) {
    const isExternal = (await this.agents.kindOf(caller.companyId, input.agent_id)) === 'EXTERNAL';
    if (!isExternal && input.version !== undefined)
      throw invalidField('version', 'is given to versions of EXTERNAL agents only');
    if (!isExternal) return this.publishDraft({ input, caller } as CallTo<C, 'publishVersion'>);
    if (input.version === undefined) throw invalidField('version', 'is required: the agent is EXTERNAL');
    return this.versions.publishNumbered(caller, input.agent_id, input.version, input.version_notes);
  }

  private async publishDraft({ input, caller }: CallTo<C, 'publishVersion'>) {
    for (let attempt = 1; ; attempt++) {
      const { snapshot } = await this.versions.draft(caller.companyId, input.agent_id);
      await this.requirePublishable(snapshot, caller);
      const latest = await this.workflows.latest(snapshot.actions, caller);
      try {
        return await this.versions.publishWith(caller, input.agent_id, input, snapshot, latest);
      } catch (error) {
        if (!(error instanceof DraftChangedError)) throw error;
        if (attempt === MAX_CHECKS) throw conflict('the draft changes while it is published');
      }
    }
  }

  /** 422 for a snapshot that cannot run. Models belong to another service, so they are looked up before the publish. */
  private async requirePublishable(snapshot: AgentSnapshot, caller: Caller): Promise<void> {
    const found = publishProblems(snapshot, await this.models.unknown(modelsOf(snapshot), caller));
    if (found.length > 0)
      throw refused(`the draft cannot be published: ${found[0]?.field} ${found[0]?.message}`, found);
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

  async restoreVersion({ input, caller }: CallTo<C, 'restoreVersion'>) {
    if ((await this.agents.kindOf(caller.companyId, input.agent_id)) === 'EXTERNAL') throw hasNoDraft();
    return this.versions.restore(caller, input.agent_id, input.version);
  }

  listReleases({ input, caller }: CallTo<C, 'listReleases'>) {
    return this.releases.list(caller.companyId, input.agent_id, input);
  }

  listMcpReleases({ caller }: CallTo<C, 'listMcpReleases'>) {
    return this.releases.listMcp(caller.companyId);
  }

  createRelease({ input: { agent_id, name, ...input }, caller }: CallTo<C, 'createRelease'>) {
    return this.releases.create(caller, agent_id, name, input);
  }

  getRelease({ input, caller }: CallTo<C, 'getRelease'>) {
    return this.releases.get(caller.companyId, input.agent_id, input.release_name);
  }

  updateRelease({ input: { agent_id, release_name, ...input }, caller }: CallTo<C, 'updateRelease'>) {
    return this.releases.update(caller, agent_id, release_name, input);
  }

  deleteRelease({ input, caller }: CallTo<C, 'deleteRelease'>) {
    return this.releases.delete(caller, input.agent_id, input.release_name);
  }

  checkRelease({ input: { agent_id, release_name, version }, caller }: CallTo<C, 'checkRelease'>) {
    return this.releases.check(caller, agent_id, release_name, version);
  }

  listReleaseMoves({ input: { agent_id, release_name, ...query }, caller }: CallTo<C, 'listReleaseMoves'>) {
    return this.releases.listMoves(caller.companyId, agent_id, release_name, query);
  }
}
