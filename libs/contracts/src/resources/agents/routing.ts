import { defineContract } from '../../contract.js';
import { list, page } from '../../contract/outputs.js';
import {
  Count,
  Default,
  field,
  Flag,
  Id,
  Int,
  join,
  List,
  ListOf,
  Name,
  Nested,
  Nullable,
  Obj,
  OneOf,
  Optional,
  partial,
  Str,
} from '../../fields/fields.js';
import { boolType, intType } from '../../fields/field-types.js';
import { Checked } from '../../fields/checks.js';
import { Deleted, Message } from '../../shapes.js';
import { PartsQuery } from './agent-parts.js';
import { AgentPath } from './agent-path.js';
import { RoutingCondition } from './routing-conditions.js';

export const ROUTE_TYPES = ['agent', 'action', 'llm', 'none'] as const;

/** Where a message goes: a sub-agent, an own action, the agent's own reasoning, or nowhere. */
@Checked<Route>(({ type, agent_id, action_id }) => {
  if (type === 'agent' && agent_id == null) return { field: 'agent_id', message: 'is required when type is agent' };
  if (type === 'action' && action_id == null) return { field: 'action_id', message: 'is required when type is action' };
  return undefined;
})
export class Route {
  @OneOf(ROUTE_TYPES) type!: (typeof ROUTE_TYPES)[number];
  @Id() @Nullable() @Optional() agent_id?: number | null;
  @Id() @Nullable() @Optional() action_id?: number | null;
}

/** How an agent decides when no rule does. */
export class RoutingConfig {
  @OneOf(['rules', 'llm']) type!: 'rules' | 'llm';
  @Nested(() => Route) default!: Route;
}

export class RuleBody {
  @Name() label!: string;
  @Str(0, 1000) @Nullable() @Optional() condition_expression?: string | null;
  @ListOf(() => RoutingCondition, 1, 20) conditions!: RoutingCondition[];
  @Nested(() => Route) route!: Route;
  @Flag() @Default(true) enabled!: boolean;
}

/** A rule: when its conditions hold, its route is taken. */
export class RoutingRule {
  @Id() id!: number;
  @Id() agent_id!: number;
  @Count() position!: number;
  @Name() label!: string;
  @Str(0, 1000) @Nullable() condition_expression!: string | null;
  @ListOf(() => RoutingCondition, 1, 20) conditions!: RoutingCondition[];
  @Nested(() => Route) route!: Route;
  @Flag() enabled!: boolean;
  @Count() date_created!: number;
  @Count() date_updated!: number;
}

export class Routing {
  @Nested(() => RoutingConfig) config!: RoutingConfig;
  @ListOf(() => RoutingRule) rules!: RoutingRule[];
}

class RulePath extends AgentPath {
  @Id() rule_id!: number;
}

class CreateRule extends join(AgentPath, RuleBody) {
  @Int(0) @Optional() position?: number;
}

class ReorderRule extends RulePath {
  @Int(0) @Optional() position?: number;
}

class UpdateRule extends join(ReorderRule, partial(RuleBody)) {}

class UpdateConfig extends AgentPath {
  @OneOf(['rules', 'llm']) @Optional() type?: 'rules' | 'llm';
  @Nested(() => Route) @Optional() default?: Route;
}

class TestRouting extends AgentPath {
  @ListOf(() => Message, 1, 1000) messages!: Message[];
  @Obj() @Default(() => ({})) state!: Record<string, unknown>;
}

class RuleEvaluation {
  @Id() rule_id!: number;
  @Flag() passed!: boolean;
  @List(boolType) conditions!: boolean[];
}

export class RoutingTest {
  @field(intType()) @Nullable() matched_rule_id!: number | null;
  @Nested(() => Route) route!: Route;
  @ListOf(() => RuleEvaluation) evaluations!: RuleEvaluation[];
}

/** Routing of agents (docs/api/agents.md). */
export const routing = defineContract(
  { name: 'agent-routing', service: 'agents', tag: 'Agents' },
  {
    getRouting: {
      get: '/agents/{agent_id}/routing/config',
      summary: 'Get the routing of an agent',
      input: AgentPath,
      output: Routing,
    },
    updateRouting: {
      put: '/agents/{agent_id}/routing/config',
      summary: 'Change how an agent routes when no rule matches',
      input: UpdateConfig,
      output: Routing,
    },
    listRoutingRules: {
      get: '/agents/{agent_id}/routing/rules',
      summary: 'List the routing rules of an agent',
      input: PartsQuery,
      output: page(RoutingRule),
    },
    createRoutingRule: {
      post: '/agents/{agent_id}/routing/rules',
      summary: 'Add a routing rule, at the end unless a position is given',
      errors: ['refused'],
      input: CreateRule,
      output: RoutingRule,
    },
    getRoutingRule: {
      get: '/agents/{agent_id}/routing/rules/{rule_id}',
      summary: 'Get a routing rule',
      input: RulePath,
      output: RoutingRule,
    },
    updateRoutingRule: {
      put: '/agents/{agent_id}/routing/rules/{rule_id}',
      summary: 'Change a routing rule',
      errors: ['refused'],
      input: UpdateRule,
      output: RoutingRule,
    },
    deleteRoutingRule: {
      delete: '/agents/{agent_id}/routing/rules/{rule_id}',
      summary: 'Delete a routing rule',
      input: RulePath,
      output: Deleted,
    },
    reorderRoutingRule: {
      put: '/agents/{agent_id}/routing/rules/{rule_id}/reorder',
      summary: 'Move a routing rule to a position; without one to the end',
      input: ReorderRule,
      output: list(RoutingRule),
      http: { exactMethod: true },
    },
    testRouting: {
      post: '/agents/{agent_id}/routing/test',
      summary: 'Try the routing on messages; nothing is stored',
      errors: ['bad_upstream', 'refused'],
      scope: 'invoke',
      input: TestRouting,
      output: RoutingTest,
      delivery: { slow: true },
      placement: { largeBodyEndpoint: 'testLargeRouting' },
    },
    testLargeRouting: {
      summary: 'Try the routing on messages with long texts',
      errors: ['bad_upstream', 'refused'],
      scope: 'invoke',
      input: TestRouting,
      output: RoutingTest,
      delivery: { slow: true },
      placement: { onWorkers: true },
    },
  },
);
