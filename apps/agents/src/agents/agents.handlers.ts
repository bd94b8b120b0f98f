import { BusClient, Consumes, Serves } from '@signalbox/bus';
import {
  agents,
  type Application,
  applications,
  type Batch,
  type CallTo,
  type EventEnvelope,
  type Handlers,
} from '@signalbox/contracts';
import type { Filter, Tx } from '@signalbox/database';
import type { InboxMessage } from '@signalbox/platform';
import { SchemaChecker } from '../tasks/schema-checker.js';
import { checkHttpUrl, switchAgent, updateAgent } from './agent.js';
import { Agents } from './agents.repository.js';
import { DraftParts } from './draft-parts.repository.js';

type C = typeof agents;

/** Agents: what a company builds, and the draft that versions are frozen from. */
@Serves(agents)
export class AgentHandlers implements Handlers<C> {
  constructor(
    private readonly agents: Agents,
    private readonly parts: DraftParts,
    private readonly schemas: SchemaChecker,
    private readonly bus: BusClient,
  ) {}

  listAgents({ input, caller }: CallTo<C, 'listAgents'>) {
    const filters: Filter[] = [];
    if (input.application_id !== undefined) filters.push({ sql: 't.application_id = ?', value: input.application_id });
    if (input.status !== undefined) filters.push({ sql: 't.status = ?', value: input.status });
    return this.agents.list(caller.companyId, { ...input, filters });
  }

  async createAgent({ input, caller }: CallTo<C, 'createAgent'>) {
    checkHttpUrl('base_url', input.base_url);
    const { application_id, response_format } = input;
    const application = await this.bus.call(applications.endpoints.getApplication, { application_id }, caller);
    await this.schemas.requireGoodFormat(response_format);
    return this.agents.create(caller, { ...input }, [{ event: 'agent.created' }], (tx) =>
      this.agents.bindApplication(tx, application),
    );
  }

  getAgent({ keys }: Batch) {
    return this.agents.read(keys);
  }

  async updateAgent({ input: { agent_id, ...change }, caller }: CallTo<C, 'updateAgent'>) {
    if (change.response_format) await this.agents.require(caller.companyId, agent_id);
    await this.schemas.requireGoodFormat(change.response_format);
    return this.agents.change(caller, agent_id, (row) => updateAgent(row, change));
  }

  deleteAgent({ input, caller }: CallTo<C, 'deleteAgent'>) {
    return this.agents.remove(
      caller,
      input.agent_id,
      () => ({ events: [{ event: 'agent.deleted' }] }),
      (tx, row) => this.parts.drop(tx, row.id),
    );
  }

  enableAgent({ input, caller }: CallTo<C, 'enableAgent'>) {
    return this.agents.change(caller, input.agent_id, (row) => switchAgent(row, 'ENABLED'));
  }

  disableAgent({ input, caller }: CallTo<C, 'disableAgent'>) {
    return this.agents.change(caller, input.agent_id, (row) => switchAgent(row, 'DISABLED'));
  }

  @Consumes('events.*.application.updated', 'agents-application-names')
  async followApplication({ data }: EventEnvelope<Application>, tx: Tx, _message: InboxMessage): Promise<void> {
    await this.agents.nameApplication(tx, data);
  }

  @Consumes('events.*.application.deleted', 'agents-applications-gone')
  async leaveApplication({ data }: EventEnvelope<{ id: number }>, tx: Tx, _message: InboxMessage): Promise<void> {
    await this.agents.unbind(tx, data.id);
  }
}
