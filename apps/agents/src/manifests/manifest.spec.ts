import type { ActionBody, ManifestAgent } from '@signalbox/contracts';
import type { AgentSnapshot } from '../drafts/index.js';
import { draftOf, exported as wireOf, manifestOf, merged, unchanged, unlistedParts } from './manifest.js';

const action = (action_name: string, change: Partial<ActionBody> = {}): ActionBody => ({
  action_name,
  action_type: 'llm',
  description: 'does it',
  enabled: true,
  action_config: null,
  meta: {},
  is_default: false,
  action_result_type: 'gather_info',
  invocation_mode: 'foreground',
  ...change,
});
const wish: ManifestAgent = {
  name: 'Helper',
  instructions: 'Be kind',
  actions: [action('b'), action('a', { is_default: true })],
  handoffs: ['Child'],
  form_fields: [
    {
      field_key: 'plan',
      label: 'Plan',
      field_type: 'string',
      description: null,
      required: false,
      enum_values: null,
      default_value: null,
      read_scope: 'all',
      write_scope: 'all',
    },
  ],
  routing: {
    config: { type: 'rules', default: { type: 'agent', agent: 'Child' } },
    rules: [
      { label: 'r', condition_expression: null, conditions: [], route: { type: 'action', action: 'a' }, enabled: true },
      { label: 'r', condition_expression: null, conditions: [], route: { type: 'llm' }, enabled: true },
    ],
  },
};
const ids = new Map([['Child', 7]]);
const names = new Map([[7, 'Child']]);
const full = merged(null, wish, false);

const stored = (draft: AgentSnapshot): AgentSnapshot => {
  const real = new Map(draft.actions.map(({ id }, index) => [id, 100 + index]));
  const route = (given: AgentSnapshot['routing']['default']) =>
    given.action_id == null ? given : { ...given, action_id: real.get(given.action_id) ?? given.action_id };
  return {
    ...draft,
    actions: draft.actions.map((item) => ({ ...item, id: real.get(item.id) ?? 0 })),
    routing: { ...draft.routing, default: route(draft.routing.default) },
    routing_rules: draft.routing_rules.map((rule, index) => ({ ...rule, id: 200 + index, route: route(rule.route) })),
    form_fields: draft.form_fields.map((field) => ({ ...field, id: 300 })),
    sub_agents: draft.sub_agents.map((link) => ({ ...link, id: 400 })),
  };
};
const now = stored(draftOf(full, null, ids));

describe('an agent of a manifest', () => {
  it('is unchanged after it was stored and exported', () => {
    const exported = manifestOf(now, names, 'ENABLED');
    expect(exported).toEqual(full);
    expect(unchanged(exported, merged(exported, wish, false))).toBe(true);
    expect(unchanged(exported, merged(exported, wireOf(exported), true))).toBe(true);
    expect(wireOf(exported).handoffs).toEqual(['Child']);
    expect(unchanged(exported, merged(exported, { ...wish, actions: [...wish.actions!].reverse() }, true))).toBe(true);
  });

  it('keeps absent fields and changes the given ones', () => {
    const exported = manifestOf(now, names, 'ENABLED');
    expect(merged(exported, { name: 'Helper' }, true)).toEqual(exported);
    const changed = merged(exported, { name: 'Helper', description: 'new', instructions: null }, false);
    expect(changed).toEqual({ ...exported, description: 'new', instructions: null });
    expect(unchanged(exported, changed)).toBe(false);
  });

  it('keeps the ids of existing parts and the target of a link', () => {
    const exported = manifestOf(now, names, 'ENABLED');
    const draft = draftOf(merged(exported, { name: 'Helper', actions: [action('c')] }, false), now, ids);
    expect(draft.actions.map(({ id, action_name }) => [id, action_name])).toEqual([
      [100, 'b'],
      [101, 'a'],
      [-999_998, 'c'],
    ]);
    expect(draft.sub_agents).toEqual(now.sub_agents);
    expect(draft.routing_rules).toEqual(now.routing_rules);
    expect(draft.form_fields).toEqual(now.form_fields);
  });

  it('exports the options of a link, and keeps the options of a link that is given by name', () => {
    const [link] = now.sub_agents;
    const pinned = {
      ...now,
      sub_agents: [{ ...link!, release: 'live', action_result_type: 'complete_task' as const }],
    };
    const full = manifestOf(pinned, names, 'ENABLED');
    const handoff = { name: 'Child', version: null, release: 'live', action_result_type: 'complete_task' };
    expect(wireOf(full).handoffs).toEqual([handoff]);
    expect(merged(full, { name: 'Helper', handoffs: ['Child'] }, true).handoffs).toEqual([handoff]);
    const filledIn = { ...now, sub_agents: [{ ...link!, version: '1.0.0', frozen: true }] };
    expect(wireOf(manifestOf(filledIn, names, 'ENABLED')).handoffs).toEqual(['Child']);
  });

  it('loses parts that are not listed only with prune, and reports the kept ones without it', () => {
    const exported = manifestOf(now, names, 'ENABLED');
    const less: ManifestAgent = { name: 'Helper', actions: [action('a')], handoffs: [], form_fields: [] };
    expect(merged(exported, less, true)).toMatchObject({
      actions: [{ action_name: 'a' }],
      handoffs: [],
      form_fields: [],
    });
    const kept = merged(exported, less, false);
    expect(kept.actions.map(({ action_name, is_default }) => [action_name, is_default])).toEqual([
      ['b', false],
      ['a', false],
    ]);
    expect(kept.handoffs.map(({ name }) => name)).toEqual(['Child']);
    expect(unlistedParts(exported, less, false)).toHaveLength(3);
    expect(unlistedParts(exported, less, true)).toEqual([]);
  });

  it('clears the default flag of an existing action when it has a new default', () => {
    const exported = manifestOf(now, names, 'ENABLED');
    const { actions } = merged(exported, { name: 'Helper', actions: [action('c', { is_default: true })] }, false);
    expect(actions.filter(({ is_default }) => is_default).map(({ action_name }) => action_name)).toEqual(['c']);
  });
});
