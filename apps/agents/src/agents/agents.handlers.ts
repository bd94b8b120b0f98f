import { BusClient, Consumer, JobHandler, type JobWith, Serves } from '@signalbox/bus';
import { SchemaChecker } from '@signalbox/conditions';
import {
  type Agent,
  agents,
  type Application,
  applications,
  type Batch,
  type Caller,
  type CallTo,
  type EventEnvelope,
  type Handlers,
  emits,
  agentConsumers,
  type ApplicationRecord,
  type Gone,
} from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { AgentDeletion } from './agent-deletion.js';
import { Agents, checkAgent, checkBinding, checkKind, switchAgent, updateAgent } from '../drafts/index.js';
import { McpServers } from '../mcp-servers/index.js';
import { KnownModels, modelsOfAgent } from '../models/index.js';
import { agentJobs } from '../jobs.js';

type C = typeof agents;

@Serves(agents)
export class AgentHandlers implements Handlers<C> {
  constructor(
    private readonly agents: Agents,
    private readonly deletion: AgentDeletion,
    private readonly models: KnownModels,
    private readonly schemas: SchemaChecker,
    private readonly servers: McpServers,
    private readonly bus: BusClient,
  ) {}

  listAgents({ input, caller }: CallTo<C, 'listAgents'>) {
    return this.agents.listBy(caller.companyId, input);
  }

  async createAgent({ input, caller }: CallTo<C, 'createAgent'>) {
    checkAgent(input);
    checkKind({ ...input });
    const { application_id, response_format } = input;
    const application = await this.application(application_id, caller);
    await this.models.require(modelsOfAgent(input), caller);
    await this.schemas.requireGoodFormat(caller.companyId, response_format);
    return this.agents.create(caller, { ...input }, [emits('agent.created')], async (tx) => {
      await this.servers.requireUsable(tx, input.mcp_servers ?? []);
      await this.agents.applications.bind(tx, application);
    });
  }

  getAgent({ keys }: Batch) {
    return this.agents.read(keys);
  }

  async updateAgent({ input: { agent_id, ...change }, caller }: CallTo<C, 'updateAgent'>) {
    checkAgent(change);
    const named = modelsOfAgent(change);
    if (change.response_format || named.length > 0) await this.agents.require(caller.companyId, agent_id);
    const application = await this.newApplication(agent_id, change.application_id, caller);
    await this.models.require(named, caller);
    await this.schemas.requireGoodFormat(caller.companyId, change.response_format);
    return this.agents.change(
      caller,
      agent_id,
      (row) => updateAgent(row, change),
      async (tx) => {
        await this.servers.requireUsable(tx, change.mcp_servers ?? []);
        if (application) await this.agents.applications.bind(tx, application);
      },
    );
  }

  private async newApplication(agentId: number, applicationId: number | undefined, caller: Caller) {
    if (applicationId === undefined) return null;
    checkBinding(JSON.parse((await this.agents.get(caller.companyId, agentId)).text) as Agent, applicationId);
    return this.application(applicationId, caller);
  }

  private application(application_id: number, caller: Caller): Promise<Application> {
    return this.bus.call(applications.endpoints.getApplication, { application_id }, caller);
  }

  deleteAgent({ input: { agent_id, force = false }, caller }: CallTo<C, 'deleteAgent'>) {
    return this.deletion.delete(caller, agent_id, force);
  }

  enableAgent({ input, caller }: CallTo<C, 'enableAgent'>) {
    return this.agents.change(caller, input.agent_id, (row) => switchAgent(row, 'ENABLED'));
  }

  disableAgent({ input, caller }: CallTo<C, 'disableAgent'>) {
    return this.agents.change(caller, input.agent_id, (row) => switchAgent(row, 'DISABLED'));
  }

  @Consumer(agentConsumers.applicationUpdated)
  async followApplication({ data }: EventEnvelope<ApplicationRecord>, tx: Tx): Promise<void> {
    await this.agents.applications.rename(tx, data);
  }

  @Consumer(agentConsumers.applicationDeleted)
  async leaveApplication({ resource }: EventEnvelope<Gone>, tx: Tx): Promise<void> {
    await this.agents.applications.remove(tx, Number(resource.id));
    tx.addJob(agentJobs.unbindApplication, { applicationId: Number(resource.id) });
  }

  @JobHandler(agentJobs.unbindApplication, { unlimitedAttempts: true })
  async unbindApplication({ companyId, payload }: JobWith<{ applicationId: number }>): Promise<void> {
    await this.agents.unbind({ companyId }, payload.applicationId);
  }
}
