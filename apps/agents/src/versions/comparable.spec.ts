import { diffSnapshots } from '@signalbox/database';
import type { AgentSnapshot, LinkDraft, RuleDraft } from '../drafts/index.js';
import { AGENT_PARTS, comparable } from './comparable.js';

const rule = (label: string, position: number, change: Partial<RuleDraft> = {}): RuleDraft => ({
  id: position + 10,
  label,
  position,
  condition_expression: null,
  conditions: [],
  route: { type: 'llm' },
  enabled: true,
  ...change,
});
const link = (change: Partial<LinkDraft> = {}): LinkDraft => ({
  id: 1,
  child_agent_id: 7,
  version: null,
  release: null,
  action_result_type: 'gather_info',
  position: 0,
  ...change,
});
const action = (id: number, action_name: string) => ({ id, action_name }) as AgentSnapshot['actions'][number];
const snapshot = (change: Partial<AgentSnapshot>): AgentSnapshot =>
  ({
    actions: [],
    sub_agents: [],
    routing: { type: 'llm', default: { type: 'llm' } },
    routing_rules: [],
    form_fields: [],
    ...change,
  }) as unknown as AgentSnapshot;
const diff = (from: Partial<AgentSnapshot>, to: Partial<AgentSnapshot>) =>
  diffSnapshots(...comparable(snapshot(from), snapshot(to)), AGENT_PARTS);

describe('two versions of an agent', () => {
  it('differ in a removed rule, not in those behind it', () => {
    const found = diff(
      { routing_rules: [rule('a', 0), rule('b', 1), rule('c', 2)] },
      { routing_rules: [rule('b', 0), rule('c', 1)] },
    );
    expect(found.routing_rules).toMatchObject({ added: [], removed: [{ label: 'a' }], changed: [] });
  });

  it('differ when common rules changed places', () => {
    const found = diff(
      { routing_rules: [rule('a', 0), rule('b', 1)] },
      { routing_rules: [rule('b', 0), rule('a', 1)] },
    );
    expect(found.routing_rules).toMatchObject({ added: [], removed: [], changed: [{ label: 'b' }, { label: 'a' }] });
  });

  it('match rules of one label by their order', () => {
    const found = diff(
      { routing_rules: [rule('a', 0), rule('a', 1)] },
      { routing_rules: [rule('a', 0), rule('a', 1, { enabled: false })] },
    );
    expect(found.routing_rules).toMatchObject({ changed: [{ label: 'a', to: { enabled: false } }] });
  });

  it('are equal when a route leads to the action of the same name under another id', () => {
    const side = (id: number): Partial<AgentSnapshot> => ({
      actions: [action(id, 'look up')],
      routing: { type: 'llm', default: { type: 'action', action_id: id } },
      routing_rules: [rule('a', 0, { route: { type: 'action', action_id: id } })],
    });
    expect(diff(side(1), side(2)).has_changes).toBe(false);
    expect(diff(side(1), { ...side(1), routing: { type: 'llm', default: { type: 'none' } } }).changes).toEqual({
      'routing.default.type': { from: 'action', to: 'none' },
      'routing.default.action': { from: 'look up', to: null },
    });
  });

  it('differ in a version that a publish filled in only when both were filled in', () => {
    const frozen = (version: string) => ({ sub_agents: [link({ version, frozen: true })] });
    expect(diff(frozen('1.0.0'), { sub_agents: [link()] }).has_changes).toBe(false);
    expect(diff(frozen('1.0.0'), { sub_agents: [link({ version: '1.0.0' })] }).has_changes).toBe(true);
    expect(diff(frozen('1.0.0'), frozen('1.1.0')).sub_agents).toMatchObject({ changed: [{ child_agent_id: 7 }] });
  });
});
