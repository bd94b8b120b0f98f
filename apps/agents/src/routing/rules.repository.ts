import { Injectable } from '@nestjs/common';
import { conflict, JsonText, notFound, type Route, type Routing, type RoutingRule } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { Agents, OrderedChildren, RULES } from '../drafts/index.js';
import type { RuleBody } from './rule.js';
import { ROUTES_TO, ROUTE_TARGETS, ROUTING_OF_AGENT } from './rules.sql.js';

/** SQL: rules are built as JSON in one read; references are checked by EXISTS in the write's transaction. */
@Injectable()
export class RoutingRules extends OrderedChildren<RoutingRule, RuleBody> {
  constructor(db: Database, agents: Agents) {
    super(db, agents, RULES, 'agent.routing_updated');
  }

  async routing(companyId: number, agentId: number): Promise<JsonText<Routing>> {
    const [row] = await this.db.select<{ body: string }>(companyId, ROUTING_OF_AGENT, [agentId]);
    if (!row) throw notFound('agent');
    return new JsonText(row.body);
  }

  /** 404 for a route to an agent that is not a sub-agent, or to an action of another agent. */
  async checkRoute(
    tx: Tx,
    agentId: number,
    { agent_id: child = null, action_id: action = null }: Route,
  ): Promise<void> {
    const [found] = await tx.query<{ child: boolean; action: boolean }>(ROUTE_TARGETS, [
      tx.companyId,
      agentId,
      child,
      action,
    ]);
    if (child !== null && !found?.child) throw notFound('sub-agent');
    if (action !== null && !found?.action) throw notFound('action');
  }

  /** 409 while a route of the locked agent leads to the sub-agent or action. */
  async refuseWhileRouted(
    tx: Tx,
    agentId: number,
    target: { agent_id: number } | { action_id: number },
  ): Promise<void> {
    const routed = await tx.query<{ rule_id: number | null }>(ROUTES_TO, [
      tx.companyId,
      agentId,
      JSON.stringify(target),
    ]);
    if (routed.length === 0) return;
    const routes = routed.map(({ rule_id: id }) => (id === null ? 'the default route' : `routing rule ${id}`));
    throw conflict(
      `cannot delete: still the target of ${routes.join(', ')}`,
      routed.map(({ rule_id: id }, at) =>
        id === null
          ? { field: 'routing.config.default', message: 'is the default route' }
          : { field: 'rule_id', message: `is the target of ${routes[at]}` },
      ),
    );
  }
}
