import { BusClient, Serves } from '@signalbox/bus';
import { SchemaChecker, TextTests } from '@signalbox/conditions';
import {
  agentManifests,
  type Agent,
  type AgentImport,
  ApiError,
  type Application,
  applications,
  type Caller,
  type CallTo,
  conflict,
  type Handlers,
  type ImportWarning,
  type ManifestAgent,
  type ManifestApplication,
} from '@signalbox/contracts';
import { FORMAT, formatOf } from '../actions/index.js';
import { Agents, hasNoDraft } from '../drafts/index.js';
import { KnownModels } from '../models/index.js';
import { patternsOf } from '../routing/index.js';
import { AgentVersions } from '../versions/index.js';
import { exported, manifestOf } from './manifest.js';
import { modelsOfManifest, withKnownModels } from './manifest-references.js';
import { checkedAgents, childrenFirst } from './manifest-checks.js';
import type { ImportInput } from './import-input.js';
import { Manifests } from './manifests.repository.js';
import { ManifestWorkflows } from './manifest-workflows.js';
import { NamedAgents } from './named-agents.repository.js';

type C = typeof agentManifests;

interface ImportedInto {
  result: AgentImport;
  application: Application;
}

@Serves(agentManifests)
export class ManifestHandlers implements Handlers<C> {
  constructor(
    private readonly manifests: Manifests,
    private readonly named: NamedAgents,
    private readonly agents: Agents,
    private readonly versions: AgentVersions,
    private readonly schemas: SchemaChecker,
    private readonly models: KnownModels,
    private readonly tests: TextTests,
    private readonly workflows: ManifestWorkflows,
    private readonly bus: BusClient,
  ) {}

  async cloneAgent({ input: { agent_id, agent_name, application_id }, caller }: CallTo<C, 'cloneAgent'>) {
    await this.requireHosted(caller.companyId, agent_id);
    const application = application_id === undefined ? null : await this.application(application_id, caller);
    return this.manifests.clone(caller, agent_id, agent_name, application);
  }

  /** 409 for an agent that runs elsewhere: it has nothing to copy. */
  private async requireHosted(companyId: number, agentId: number): Promise<void> {
    if ((await this.agents.kindOf(companyId, agentId)) === 'EXTERNAL') throw hasNoDraft();
  }

  async importAgents({ input: { application, ...input }, caller }: CallTo<C, 'importAgents'>) {
    const warnings: ImportWarning[] = [];
    const checked = checkedAgents(await this.workflows.resolved(input.agents, warnings, caller));
    childrenFirst(checked);
    await this.checkEvaluated(checked, caller);
    const unknown = await this.models.unknown(modelsOfManifest(checked), caller);
    const checkedInput = { ...input, agents: withKnownModels(checked, unknown, warnings), warnings };
    const { result, application: target } = await this.importInto(application, checkedInput, caller);
    if (target.application_name === application.name) return result;
    const message = `the application is called ${target.application_name} and was not renamed`;
    return { ...result, warnings: [...result.warnings, { path: 'application.name', message }] };
  }

  async exportAgent({ input: { agent_id, version }, caller }: CallTo<C, 'exportAgent'>) {
    await this.requireHosted(caller.companyId, agent_id);
    const agent = JSON.parse((await this.agents.get(caller.companyId, agent_id)).text) as Agent;
    const { snapshot } = await this.versions.resolve(caller.companyId, agent_id, { version });
    const children = snapshot.sub_agents.map(({ child_agent_id }) => child_agent_id);
    const names = await this.named.namesOf(caller.companyId, children);
    if (agent.application_id === null) throw conflict(`agent ${agent_id} has no application`);
    const application = await this.application(agent.application_id, caller);
    return {
      application: { ref_name: application.application_ref_name, name: application.application_name },
      agents: await this.workflows.named([exported(manifestOf(snapshot, names, agent.status))], caller),
    };
  }

  private async checkEvaluated(agents: readonly ManifestAgent[], { companyId }: Caller): Promise<void> {
    const rules = agents.flatMap(({ routing }) => routing?.rules ?? []);
    await this.tests.requirePatterns(companyId, rules.flatMap(patternsOf));
    for (const [at, { response_format, actions = [] }] of agents.entries()) {
      await this.schemas.requireGoodFormat(companyId, response_format, `agents[${at}].response_format`);
      for (const [index, { action_config }] of actions.entries())
        await this.schemas.requireGoodFormat(
          companyId,
          formatOf(action_config),
          `agents[${at}].actions[${index}].${FORMAT}`,
        );
    }
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

  /** A missing application is created only after the manifest was checked. */
  private async importInto(manifest: ManifestApplication, input: ImportInput, caller: Caller): Promise<ImportedInto> {
    const existing = await this.findApplication(manifest, caller);
    if (existing) return { result: await this.manifests.import(caller, existing, input), application: existing };
    await this.manifests.check(caller, input);
    const { application, isNew } = await this.newApplication(manifest, caller);
    try {
      return { result: await this.manifests.import(caller, application, input), application };
    } catch (error) {
      // Something that the manifest refers to was deleted since the check.
      if (isNew)
        await this.bus.call(applications.endpoints.deleteApplication, { application_id: application.id }, caller);
      throw error;
    }
  }

  private async newApplication(
    manifest: ManifestApplication,
    caller: Caller,
  ): Promise<{ application: Application; isNew: boolean }> {
    const { ref_name, name } = manifest;
    const body = { application_name: name, application_ref_name: ref_name, state: 'ENABLED' as const, meta: {} };
    try {
      return { application: await this.bus.call(applications.endpoints.createApplication, body, caller), isNew: true };
    } catch (error) {
      const isTaken = error instanceof ApiError && error.kind === 'conflict';
      const concurrent = isTaken ? await this.findApplication(manifest, caller) : null;
      if (!concurrent) throw error;
      return { application: concurrent, isNew: false };
    }
  }
}
