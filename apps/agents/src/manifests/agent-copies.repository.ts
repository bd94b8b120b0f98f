import { Injectable } from '@nestjs/common';
import {
  type Agent,
  emits,
  type ImportedAgent,
  type JsonText,
  type OnOff,
  type SubAgentLink,
} from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { Agents, type AgentSnapshot, split } from '../drafts/index.js';
import { DraftParts } from '../versions/index.js';
import { SubAgents } from '../sub-agents/index.js';
import { ACTIONS_OF_AGENT, STORE_ROUTING } from './agent-copies.sql.js';

/** SQL: ids of parts are known only after the agent's row, whose routing is then completed in the same transaction. */
@Injectable()
export class AgentCopies {
  constructor(
    private readonly agents: Agents,
    private readonly parts: DraftParts,
    private readonly links: SubAgents,
  ) {}

  /** `known` is the id of the agent to overwrite; returns the id. */
  async write(
    tx: Tx,
    applicationId: number,
    { draft, status, was }: { draft: AgentSnapshot; status: OnOff; was: OnOff },
    known: number | undefined,
  ): Promise<number> {
    if (known === undefined) {
      const created = await this.create(tx, applicationId, draft, status, 'import');
      return (JSON.parse(created.text) as Agent).id;
    }
    const { fields, parts } = split(draft);
    const switched = status === was ? [] : [emits(status === 'ENABLED' ? 'agent.enabled' : 'agent.disabled')];
    const rule = () => ({ set: fields, events: [emits('agent.updated'), ...switched], action: 'import' });
    await this.agents.changeIn(tx, known, rule, async (_tx, _row, decision) => {
      decision.set = { ...fields, status, routing: await this.parts.write(tx, known, parts) };
    });
    return known;
  }

  create(
    tx: Tx,
    applicationId: number,
    draft: AgentSnapshot,
    status: Agent['status'],
    action: 'create' | 'import' = 'create',
  ): Promise<JsonText<Agent>> {
    const { fields, parts } = split(draft);
    const values = { ...fields, application_id: applicationId, status };
    const fill = async (id: number): Promise<void> => {
      const routing = await this.parts.write(tx, id, parts);
      await tx.query(STORE_ROUTING, [tx.companyId, id, JSON.stringify(routing)]);
    };
    return this.agents.createIn(tx, values, [emits('agent.created')], fill, action);
  }

  async report(
    tx: Tx,
    id: number,
    outcome: Pick<ImportedAgent, 'name' | 'status'>,
  ): Promise<Omit<ImportedAgent, 'warnings'>> {
    const actions = await tx.query<{ id: number }>(ACTIONS_OF_AGENT, [tx.companyId, id]);
    const links = await this.links.all(tx, id);
    return {
      ...outcome,
      id,
      action_ids: actions.map((action) => action.id),
      subagent_links: JSON.parse(links.text) as SubAgentLink[],
    };
  }
}
