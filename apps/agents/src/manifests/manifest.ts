import {
  type ManifestAgent,
  type ManifestHandoff,
  type ManifestRoute,
  named,
  type OnOff,
  type Route,
  sameJson,
} from '@signalbox/contracts';
import { type AgentSnapshot, withoutPublishPins } from '../drafts/index.js';

export type Handoff = Required<{ [K in keyof ManifestHandoff]: Exclude<ManifestHandoff[K], undefined> }>;

type Said = Required<{ [K in keyof ManifestAgent]: Exclude<ManifestAgent[K], undefined> }>;

export type FullManifest = Omit<Said, 'handoffs'> & { handoffs: Handoff[] };

const plain = (name: string): Handoff => ({ name, version: null, release: null, action_result_type: 'gather_info' });

export const nameOfHandoff = (handoff: string | ManifestHandoff): string =>
  typeof handoff === 'string' ? handoff : handoff.name;

export const exported = ({ handoffs, ...rest }: FullManifest): ManifestAgent => ({
  ...rest,
  handoffs: handoffs.map((handoff) => (sameJson(handoff, plain(handoff.name)) ? handoff.name : handoff)),
});

const blank = (name: string): FullManifest => ({
  name,
  status: 'ENABLED',
  description: null,
  instructions: null,
  execution_mode: 'reasoning',
  model: null,
  strategy_prompt_addendum: null,
  agent_config: {},
  max_iterations: 10,
  max_cost: null,
  response_format: null,
  base_url: null,
  meta: {},
  actions: [],
  handoffs: [],
  form_fields: [],
  mcp_servers: [],
  routing: { config: { type: 'llm', default: { type: 'llm' } }, rules: [] },
});

const without = <T extends object, K extends keyof T>(item: T, ...keys: K[]): Omit<T, K> =>
  Object.fromEntries(Object.entries(item).filter(([key]) => !keys.includes(key as K))) as Omit<T, K>;

export function manifestOf(snapshot: AgentSnapshot, nameOf: ReadonlyMap<number, string>, status: OnOff): FullManifest {
  const { agent_name: name, system_prompt: instructions, routing, routing_rules, sub_agents, ...rest } = snapshot;
  const actions = new Map(snapshot.actions.map(({ id, action_name }) => [id, action_name]));
  const route = ({ type, agent_id, action_id }: Route): ManifestRoute => ({
    type,
    ...(agent_id == null ? {} : { agent: nameOf.get(agent_id) ?? null }),
    ...(action_id == null ? {} : { action: actions.get(action_id) ?? null }),
  });
  return {
    ...rest,
    name,
    status,
    instructions,
    actions: snapshot.actions.map((action) => without(withoutPublishPins(action), 'id')),
    handoffs: sub_agents.map(({ child_agent_id, version, release, action_result_type, frozen }) => ({
      name: nameOf.get(child_agent_id) ?? String(child_agent_id),
      // A version that a publish filled in is not part of the draft.
      version: frozen ? null : version,
      release,
      action_result_type,
    })),
    form_fields: snapshot.form_fields.map((field) => without(field, 'id', 'position')),
    mcp_servers: (snapshot.mcp_servers ?? []).map((server) => server.name),
    routing: {
      config: { type: routing.type, default: route(routing.default) },
      rules: routing_rules.map((rule) => ({ ...without(rule, 'id', 'position'), route: route(rule.route) })),
    },
  };
}

/** By name; with `prune` only the wanted items remain. */
function mergedItems<Item extends object>(
  now: readonly Item[],
  wanted: readonly Item[] | undefined,
  by: keyof Item,
  prune: boolean,
): Item[] {
  if (!wanted) return [...now];
  if (prune) return [...wanted];
  const wantedByKey = new Map(wanted.map((item) => [item[by], item]));
  const known = new Set(now.map((item) => item[by]));
  return [...now.map((item) => wantedByKey.get(item[by]) ?? item), ...wanted.filter((item) => !known.has(item[by]))];
}

const definedFields = <T extends object>(input: T): Partial<T> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Partial<T>;

/** A name alone keeps an existing link unchanged. */
function linksOf(now: readonly Handoff[], wanted: ManifestAgent['handoffs']): Handoff[] | undefined {
  return wanted?.map((handoff) => {
    if (typeof handoff !== 'string') return { ...plain(handoff.name), ...definedFields(handoff) } as Handoff;
    return now.find(({ name }) => name === handoff) ?? plain(handoff);
  });
}

/** Absent fields keep their values, or get the defaults of a new agent. */
export function merged(now: FullManifest | null, agent: ManifestAgent, prune: boolean): FullManifest {
  const base = now ?? blank(agent.name);
  const claimed = agent.actions?.some(({ is_default }) => is_default) ?? false;
  const own = claimed ? base.actions.map((action) => ({ ...action, is_default: false })) : base.actions;
  return {
    ...base,
    ...(definedFields(without(agent, 'actions', 'handoffs', 'form_fields')) as Partial<FullManifest>),
    actions: mergedItems(own, agent.actions, 'action_name', prune),
    handoffs: mergedItems(base.handoffs, linksOf(base.handoffs, agent.handoffs), 'name', prune),
    form_fields: mergedItems(base.form_fields, agent.form_fields, 'field_key', prune),
  };
}

/** The order of actions does not matter. */
export function unchanged(now: FullManifest, after: FullManifest): boolean {
  const sorted = (agent: FullManifest): FullManifest => ({
    ...agent,
    actions: [...agent.actions].sort((a, b) => (a.action_name < b.action_name ? -1 : 1)),
  });
  return sameJson(sorted(now), sorted(after));
}

/** Parts that are kept although the manifest does not list them. */
export function unlistedParts(now: FullManifest | null, agent: ManifestAgent, prune: boolean): string[] {
  if (!now || prune) return [];
  const named = (what: string, existing: readonly string[], wanted: readonly string[] | undefined): string[] =>
    wanted
      ? existing
          .filter((name) => !wanted.includes(name))
          .map((name) => `${what} ${name} is not in the manifest and was kept`)
      : [];
  return [
    ...named(
      'action',
      now.actions.map((action) => action.action_name),
      agent.actions?.map((action) => action.action_name),
    ),
    ...named(
      'handoff',
      now.handoffs.map(({ name }) => name),
      agent.handoffs?.map(nameOfHandoff),
    ),
    ...named(
      'form field',
      now.form_fields.map((field) => field.field_key),
      agent.form_fields?.map((field) => field.field_key),
    ),
  ];
}

const UNKNOWN = 0;
/** New actions are inserted in the order of these temporary ids, which are below all existing ones. */
const NEW_ACTION = -1_000_000;

/** Existing parts keep their ids. */
export function draftOf(
  { name, instructions, handoffs, routing, status: _status, ...manifest }: FullManifest,
  now: AgentSnapshot | null,
  idOf: ReadonlyMap<string, number>,
  servers: ReadonlyMap<string, number> = new Map(),
): AgentSnapshot {
  const idsOf = (items: readonly object[] = [], by: string): Map<unknown, number> =>
    new Map([...named(items as Record<string, unknown>[], by)].map(([key, item]) => [key, item.id as number]));
  const known = idsOf(now?.actions, 'action_name');
  const actions = manifest.actions.map((action, index) => ({
    ...action,
    action_config: action.action_config ?? null,
    id: known.get(action.action_name) ?? NEW_ACTION + index,
  }));
  const actionIds = idsOf(actions, 'action_name');
  const route = ({ type, agent, action }: ManifestRoute): Route => ({
    type,
    ...(agent == null ? {} : { agent_id: idOf.get(agent) ?? UNKNOWN }),
    ...(action == null ? {} : { action_id: actionIds.get(action) ?? UNKNOWN }),
  });
  const links = new Map(now?.sub_agents.map((link) => [link.child_agent_id, link]));
  const fields = idsOf(now?.form_fields, 'field_key');
  const rules = idsOf(now?.routing_rules, 'label');
  return {
    ...manifest,
    agent_name: name,
    system_prompt: instructions,
    actions,
    sub_agents: handoffs.map(({ name: child, ...link }, position) => {
      const child_agent_id = idOf.get(child) ?? UNKNOWN;
      return { id: links.get(child_agent_id)?.id ?? UNKNOWN, child_agent_id, ...link, position };
    }),
    form_fields: manifest.form_fields.map((field, position) => ({
      ...field,
      description: field.description ?? null,
      enum_values: field.enum_values ?? null,
      default_value: field.default_value ?? null,
      id: fields.get(field.field_key) ?? UNKNOWN,
      position,
    })),
    // A draft has only the ids.
    mcp_servers: manifest.mcp_servers.map((server) => ({
      ...{ id: servers.get(server) ?? UNKNOWN, name: server },
      ...{ url: '', headers: {}, tools: [] },
    })),
    routing: { type: routing.config.type, default: route(routing.config.default) },
    routing_rules: [
      ...named(routing.rules as (FullManifest['routing']['rules'][number] & Record<string, unknown>)[], 'label'),
    ].map(([key, rule], position) => ({
      ...rule,
      condition_expression: rule.condition_expression ?? null,
      route: route(rule.route),
      id: rules.get(key) ?? UNKNOWN,
      position,
    })),
  };
}
