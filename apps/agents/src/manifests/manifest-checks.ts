import { ApiError, conflict, type Detail, invalid, type ManifestAgent, type ManifestRoute } from '@signalbox/contracts';
import { newAction } from '../actions/index.js';
import { checkAgent } from '../drafts/index.js';
import { checkField, type FieldBody } from '../form-fields/index.js';
import { checkRule } from '../routing/index.js';
import { type FullManifest, nameOfHandoff } from './manifest.js';

function within<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ApiError) || !error.extras.details) throw error;
    const details = error.extras.details.map(({ field, message }) => ({ field: `${path}.${field}`, message }));
    throw new ApiError(error.kind, error.message, { ...error.extras, details });
  }
}

const repeated = (names: readonly string[], path: (index: number) => string): Detail[] =>
  names.flatMap((name, index) =>
    names.indexOf(name) === index ? [] : [{ field: path(index), message: 'is named twice' }],
  );

function checkNames(agents: readonly ManifestAgent[]): void {
  const details = [
    ...repeated(
      agents.map(({ name }) => name),
      (index) => `agents[${index}].name`,
    ),
    ...agents.flatMap(({ actions = [], handoffs = [], form_fields: fields = [] }, at) => [
      ...repeated(
        actions.map((action) => action.action_name),
        (index) => `agents[${at}].actions[${index}].action_name`,
      ),
      ...repeated(handoffs.map(nameOfHandoff), (index) => `agents[${at}].handoffs[${index}]`),
      ...repeated(
        fields.map((field) => field.field_key),
        (index) => `agents[${at}].form_fields[${index}].field_key`,
      ),
    ]),
  ];
  if (details.length > 0) throw invalid(details);
}

export function checkedAgents(agents: readonly ManifestAgent[]): ManifestAgent[] {
  checkNames(agents);
  return agents.map((agent, at) => {
    const path = `agents[${at}]`;
    const { mcp_servers: _names, ...fields } = agent;
    within(path, () => checkAgent(fields));
    agent.form_fields?.forEach((field, index) =>
      within(`${path}.form_fields[${index}]`, () => checkField(field as FieldBody)),
    );
    agent.routing?.rules.forEach((rule, index) =>
      within(`${path}.routing.rules[${index}]`, () =>
        checkRule({ ...rule, condition_expression: rule.condition_expression ?? null }),
      ),
    );
    if ((agent.actions?.filter(({ is_default }) => is_default).length ?? 0) > 1)
      throw invalid([{ field: `${path}.actions`, message: 'must have at most one default' }]);
    const actions = agent.actions?.map((action, index) =>
      within(`${path}.actions[${index}]`, () => newAction({ ...action })),
    );
    const form_fields = agent.form_fields?.map((field) => ({
      ...field,
      description: field.description ?? null,
      enum_values: field.enum_values ?? null,
      default_value: field.default_value ?? null,
    }));
    const rules = agent.routing?.rules.map((rule) => ({
      ...rule,
      condition_expression: rule.condition_expression ?? null,
    }));
    return {
      ...agent,
      ...(actions ? { actions } : {}),
      ...(form_fields ? { form_fields } : {}),
      ...(agent.routing && rules ? { routing: { ...agent.routing, rules } } : {}),
    };
  });
}

/** 400 for a route to an action or a handoff that the agent does not have. */
export function checkRoutes({ actions, handoffs, routing }: FullManifest, at: number): void {
  const problem = ({ agent, action }: ManifestRoute, field: string): Detail[] => [
    ...(agent == null || handoffs.some(({ name }) => name === agent)
      ? []
      : [{ field: `${field}.agent`, message: 'is no handoff' }]),
    ...(action == null || actions.some(({ action_name }) => action_name === action)
      ? []
      : [{ field: `${field}.action`, message: 'is no action of the agent' }]),
  ];
  const path = `agents[${at}].routing`;
  const details = [
    ...problem(routing.config.default, `${path}.config.default`),
    ...routing.rules.flatMap(({ route }, index) => problem(route, `${path}.rules[${index}].route`)),
  ];
  if (details.length > 0) throw invalid(details);
}

/** 409 for a cycle of handoffs. */
export function childrenFirst<Agent extends Pick<ManifestAgent, 'name' | 'handoffs'>>(
  agents: readonly Agent[],
): Agent[] {
  const byName = new Map(agents.map((agent) => [agent.name, agent]));
  const ordered = new Set<Agent>();
  const open = new Set<Agent>();
  const visit = (agent: Agent): void => {
    if (ordered.has(agent)) return;
    if (open.has(agent)) throw conflict(`agent ${agent.name} would hand over to itself through its handoffs`);
    open.add(agent);
    for (const handoff of agent.handoffs ?? []) {
      const child = byName.get(nameOfHandoff(handoff));
      if (child) visit(child);
    }
    ordered.add(agent);
  };
  agents.forEach(visit);
  return [...ordered];
}
