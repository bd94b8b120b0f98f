import { named } from '@signalbox/contracts';
import { type ActionDraft, type AgentSnapshot, type LinkDraft, withoutPublishPins } from '../drafts/index.js';

/** The keys by which items are matched, and the fields that are not compared. */
export const AGENT_PARTS = {
  actions: { by: 'action_name', ignoring: ['id'] },
  sub_agents: { by: 'child_agent_id', ignoring: ['id'] },
  routing_rules: { by: 'label', ignoring: ['id'] },
  form_fields: { by: 'field_key', ignoring: ['id'] },
};

type Placed = Record<string, unknown> & { position: number };

/** Positions among the items of both sides: a new or removed item does not move those behind it. */
function ranked<Item extends { position: number }>(items: readonly Item[], others: readonly object[], by: string) {
  const known = named(others as Placed[], by);
  let rank = 0;
  return [...named(items as unknown as Placed[], by)].map(([key, item]) =>
    known.has(key) ? { ...item, position: rank++ } : item,
  );
}

/** A version that a publish filled in is compared only with one that a publish filled in. */
function link(item: LinkDraft, others: readonly LinkDraft[]): LinkDraft {
  const other = others.find(({ child_agent_id }) => child_agent_id === item.child_agent_id);
  const { frozen, ...rest } = item;
  return frozen && other && !other.frozen ? { ...rest, version: null } : rest;
}

function action(item: ActionDraft, others: readonly ActionDraft[]): ActionDraft {
  const other = others.find(({ action_name }) => action_name === item.action_name);
  const { frozen, ...rest } = item;
  return frozen && other && !other.frozen ? withoutPublishPins(item) : rest;
}

const sideOf = (one: AgentSnapshot, other: AgentSnapshot): object => {
  const nameOf = new Map(one.actions.map(({ id, action_name }) => [id, action_name]));
  const route = ({ action_id, ...rest }: AgentSnapshot['routing']['default']): object =>
    action_id == null ? rest : { ...rest, action: nameOf.get(action_id) ?? null };
  const links = one.sub_agents.map((item) => link(item, other.sub_agents));
  const rules = one.routing_rules.map((rule) => ({ ...rule, route: route(rule.route) }));
  return {
    ...one,
    routing: { ...one.routing, default: route(one.routing.default) },
    actions: one.actions.map((item) => action(item, other.actions)),
    sub_agents: ranked(links, other.sub_agents, AGENT_PARTS.sub_agents.by),
    routing_rules: ranked(rules, other.routing_rules, AGENT_PARTS.routing_rules.by),
    form_fields: ranked(one.form_fields, other.form_fields, AGENT_PARTS.form_fields.by),
  };
};

/** Routes have action names, positions are those among common items. */
export const comparable = (from: AgentSnapshot, to: AgentSnapshot): [object, object] => [
  sideOf(from, to),
  sideOf(to, from),
];
