import { Serves } from '@signalbox/bus';
import { TextTests } from '@signalbox/conditions';
import {
  type Caller,
  type CallTo,
  type Handlers,
  notFound,
  routing,
  type RoutingCondition,
  type RoutingConfig,
  emits,
} from '@signalbox/contracts';
import { Agents, Drafts } from '../drafts/index.js';
import { TEST_ATTRIBUTION } from '../models/index.js';
import { Router } from './router.js';
import { checkRule, patternsOf } from './rule.js';
import { RoutingRules } from './rules.repository.js';

type C = typeof routing;

@Serves(routing)
export class RoutingHandlers implements Handlers<C> {
  constructor(
    private readonly rules: RoutingRules,
    private readonly agents: Agents,
    private readonly drafts: Drafts,
    private readonly router: Router,
    private readonly tests: TextTests,
  ) {}

  getRouting({ input, caller }: CallTo<C, 'getRouting'>) {
    return this.rules.routing(caller.companyId, input.agent_id);
  }

  async updateRouting({ input: { agent_id, ...change }, caller }: CallTo<C, 'updateRouting'>) {
    const set = (config: RoutingConfig): RoutingConfig => ({
      type: change.type ?? config.type,
      default: change.default ?? config.default,
    });
    const named = Object.values(change).some((value) => value !== undefined);
    await this.agents.change(
      caller,
      agent_id,
      (row) => (named ? { set: { routing: set(row.routing) }, events: [emits('agent.routing_updated')] } : {}),
      async (tx) => {
        if (change.default) await this.rules.checkRoute(tx, agent_id, change.default);
      },
    );
    return this.rules.routing(caller.companyId, agent_id);
  }

  listRoutingRules({ input, caller }: CallTo<C, 'listRoutingRules'>) {
    return this.rules.list(caller.companyId, input.agent_id, input);
  }

  async createRoutingRule({ input: { agent_id, position, ...body }, caller }: CallTo<C, 'createRoutingRule'>) {
    const rule = { ...body, condition_expression: body.condition_expression ?? null };
    checkRule(rule);
    await this.tests.requirePatterns(caller.companyId, patternsOf(rule));
    return this.rules.write(caller, agent_id, async (tx) => {
      await this.rules.checkRoute(tx, agent_id, rule.route);
      return this.rules.add(tx, agent_id, rule, position);
    });
  }

  getRoutingRule({ input, caller }: CallTo<C, 'getRoutingRule'>) {
    return this.rules.get(caller.companyId, input.agent_id, input.rule_id);
  }

  async updateRoutingRule({ input, caller }: CallTo<C, 'updateRoutingRule'>) {
    const { agent_id, rule_id, position, ...change } = input;
    if (Object.keys(change).length === 0 && position === undefined)
      return this.rules.get(caller.companyId, agent_id, rule_id);
    if (change.conditions) await this.requirePatterns(caller, agent_id, rule_id, change.conditions);
    return this.rules.write(caller, agent_id, async (tx) => {
      const rule = await this.rules.find(tx, agent_id, rule_id);
      checkRule({ ...rule, ...change });
      if (change.route) await this.rules.checkRoute(tx, agent_id, change.route);
      if (position !== undefined) await this.rules.place(tx, agent_id, rule_id, position);
      return this.rules.change(tx, agent_id, rule_id, change);
    });
  }

  /** Outside of the transaction, because patterns are compiled; 404 for an unknown rule comes first. */
  private async requirePatterns(
    { companyId }: Caller,
    agentId: number,
    ruleId: number,
    conditions: RoutingCondition[],
  ): Promise<void> {
    const patterns = patternsOf({ conditions });
    if (patterns.length === 0) return;
    await this.rules.get(companyId, agentId, ruleId);
    await this.tests.requirePatterns(companyId, patterns);
  }

  deleteRoutingRule({ input: { agent_id, rule_id }, caller }: CallTo<C, 'deleteRoutingRule'>) {
    return this.rules.write(caller, agent_id, async (tx) => {
      await this.rules.drop(tx, agent_id, rule_id);
      return { id: rule_id, deleted: true };
    });
  }

  reorderRoutingRule({ input, caller }: CallTo<C, 'reorderRoutingRule'>) {
    return this.rules.reorder(caller, input.agent_id, input.rule_id, input.position);
  }

  async testRouting({ input: { agent_id, messages, state }, caller }: CallTo<C, 'testRouting'>) {
    const draft = await this.drafts.find(caller.companyId, agent_id);
    if (!draft) throw notFound('agent');
    return this.router.route(draft, { messages, state, request: { messages } }, TEST_ATTRIBUTION, caller);
  }

  testLargeRouting(call: CallTo<C, 'testLargeRouting'>) {
    return this.testRouting(call);
  }
}
