import { Injectable } from '@nestjs/common';
import type { RoutingConfig } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { Actions } from '../actions/index.js';
import { FormFields } from '../form-fields/index.js';
import { actionIdMap, remapRoute, RoutingRules } from '../routing/index.js';
import { SubAgents } from '../sub-agents/index.js';
import { type SnapshotParts, withoutPublishPins } from '../drafts/index.js';
import { ACTIONS_OF_AGENT } from './draft-parts.sql.js';

/** SQL: names become ids by one read inside the write's transaction. */
@Injectable()
export class DraftParts {
  constructor(
    private readonly actions: Actions,
    private readonly links: SubAgents,
    private readonly rules: RoutingRules,
    private readonly fields: FormFields,
  ) {}

  /**
   * Returns the routing for the agent's own row: routes lead to the actions of the same names under their current ids.
   * The agent must be locked.
   */
  async write(tx: Tx, agentId: number, parts: SnapshotParts): Promise<RoutingConfig> {
    await this.actions.restore(tx, agentId, parts.actions.map(withoutPublishPins));
    const now = await tx.query<{ id: number; action_name: string }>(ACTIONS_OF_AGENT, [tx.companyId, agentId]);
    const moved = actionIdMap(parts.actions, now);
    await this.links.replace(tx, agentId, parts.sub_agents);
    await this.fields.replace(tx, agentId, parts.form_fields);
    await this.rules.replace(
      tx,
      agentId,
      parts.routing_rules.map((rule) => ({ ...rule, route: remapRoute(rule.route, moved) })),
    );
    return { ...parts.routing, default: remapRoute(parts.routing.default, moved) };
  }

  /** 409 naming the agents whose drafts link to the agent. */
  refuseWhileNamed(companyId: number, agentId: number): Promise<void> {
    return this.links.refuseWhileNamed(companyId, agentId);
  }

  /** 409 while the deleted agent is itself a sub-agent. */
  async drop(tx: Tx, agentId: number): Promise<void> {
    await this.links.refuseWhileChild(tx, agentId);
    await this.actions.dropAll(tx, agentId);
    for (const parts of [this.links, this.rules, this.fields]) await parts.dropAll(tx, agentId);
  }
}
