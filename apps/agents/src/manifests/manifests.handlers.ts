import { BusClient, Serves } from '@signalbox/bus';
import {
  agentManifests,
  type Agent,
  type Application,
  applications,
  type Caller,
  type CallTo,
  conflict,
  type Handlers,
  type ManifestApplication,
} from '@signalbox/contracts';
import { Agents } from '../agents/agents.repository.js';
import { checkPattern } from '../routing/pattern.js';
import { AgentVersions } from '../versions/versions.repository.js';
import { manifestOf } from './manifest.js';
import { checkedAgents, inOrder } from './manifest-checks.js';
import { type ImportWish, Manifests } from './manifests.repository.js';

type C = typeof agentManifests;

/** Copies of agents: within the platform, and as manifests. */
@Serves(agentManifests)
export class ManifestHandlers implements Handlers<C> {
  constructor(
    private readonly manifests: Manifests,
    private readonly agents: Agents,
    private readonly versions: AgentVersions,
    private readonly bus: BusClient,
  ) {}

  async cloneAgent({ input: { agent_id, agent_name, application_id }, caller }: CallTo<C, 'cloneAgent'>) {
    const application = application_id === undefined ? null : await this.application(application_id, caller);
    return this.manifests.clone(caller, agent_id, agent_name, application);
  }

  async importAgents({ input: { application, ...input }, caller }: CallTo<C, 'importAgents'>) {
    const wish = { ...input, agents: checkedAgents(input.agents, checkPattern) };
    inOrder(wish.agents);
    const found =
      (await this.findApplication(application, caller)) ?? (await this.newApplication(application, wish, caller));
    const result = await this.manifests.import(caller, found, wish);
    if (found.application_name === application.name) return result;
    return { ...result, warnings: [`the application is called ${found.application_name} and was not renamed`] };
  }

  async exportAgent({ input: { agent_id, version }, caller }: CallTo<C, 'exportAgent'>) {
    const agent = JSON.parse((await this.agents.get(caller.companyId, agent_id)).text) as Agent;
    const { snapshot } = await this.versions.resolve(caller.companyId, agent_id, { version });
    const children = snapshot.sub_agents.map(({ child_agent_id }) => child_agent_id);
    const names = await this.manifests.namesOf(caller.companyId, children);
    if (agent.application_id === null) throw conflict(`agent ${agent_id} has no application`);
    const application = await this.application(agent.application_id, caller);
    return {
      application: { ref_name: application.application_ref_name, name: application.application_name },
      agents: [manifestOf(snapshot, names)],
    };
  }

  private application(application_id: number, caller: Caller): Promise<Application> {
    return this.bus.call(applications.endpoints.getApplication, { application_id }, caller);
  }

  private async findApplication({ ref_name }: ManifestApplication, caller: Caller): Promise<Application | null> {
    for (let offset = 0; ; offset += 100) {
      const query = { offset, limit: 100, search: ref_name, sort: 'id' };
      const { data, pagination } = await this.bus.call(applications.endpoints.listApplications, query, caller);
      const found = data.find((application) => application.application_ref_name === ref_name);
      if (found || offset + 100 >= pagination.total) return found ?? null;
    }
  }

  /** An application for agents that can be imported into it; what cannot leaves no empty application behind. */
  private async newApplication(
    { ref_name, name }: ManifestApplication,
    wish: ImportWish,
    caller: Caller,
  ): Promise<Application> {
    await this.manifests.rehearse(caller, wish);
    const body = { application_name: name, application_ref_name: ref_name, state: 'ENABLED' as const, meta: {} };
    // The client's wish for idempotency is about the import; the reference name makes this call safe to repeat.
    const { idempotency: _import, ...plain } = caller;
    return this.bus.call(applications.endpoints.createApplication, body, plain);
  }
}
