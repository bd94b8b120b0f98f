import type { ActionBody, ManifestAgent } from '@signalbox/contracts';
import { merged } from './manifest.js';
import { checkedAgents, checkRoutes, childrenFirst } from './manifest-checks.js';

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
const routing: NonNullable<ManifestAgent['routing']> = {
  config: { type: 'rules', default: { type: 'agent', agent: 'Child' } },
  rules: [
    { label: 'r', condition_expression: null, conditions: [], route: { type: 'action', action: 'a' }, enabled: true },
  ],
};

describe('a manifest', () => {
  const problemsOf = (work: () => unknown): string[] => {
    try {
      work();
      return [];
    } catch (error) {
      return (error as { extras: { details: { field: string }[] } }).extras.details.map(({ field }) => field);
    }
  };

  it.each([
    [{ actions: [action('a'), action('a')] }, 'agents[0].actions[1].action_name'],
    [{ handoffs: ['x', 'x'] }, 'agents[0].handoffs[1]'],
    [{ actions: [action('a', { action_config: { prompt: 5 } })] }, 'agents[0].actions[0].action_config.prompt'],
    [{ actions: [action('a', { is_default: true }), action('b', { is_default: true })] }, 'agents[0].actions'],
    [{ base_url: 'http://u:p@a.b' }, 'agents[0].base_url'],
    [{ agent_config: { temperature: 'hot' } }, 'agents[0].agent_config.temperature'],
    [{ handoffs: ['x', { name: 'x', action_result_type: 'gather_info' as const }] }, 'agents[0].handoffs[1]'],
    [
      { routing: { ...routing, rules: [{ ...routing.rules[0]!, condition_expression: '5' }] } },
      'agents[0].routing.rules[0].condition_expression',
    ],
  ])('with %j is refused for %s', (change, field) => {
    expect(problemsOf(() => checkedAgents([{ name: 'A', ...change }]))).toEqual([field]);
  });

  it('has only routes to actions and handoffs that its agents have', () => {
    const whole: ManifestAgent = { name: 'A', actions: [action('a')], handoffs: ['Child'], routing };
    checkRoutes(merged(null, whole, false), 0);
    expect(problemsOf(() => checkRoutes(merged(null, { name: 'A', routing }, false), 2))).toEqual([
      'agents[2].routing.config.default.agent',
      'agents[2].routing.rules[0].route.action',
    ]);
  });

  it('is sorted so that each agent comes after its handoff targets', () => {
    const agents = [{ name: 'a', handoffs: ['b', 'x'] }, { name: 'b', handoffs: ['c'] }, { name: 'c' }];
    expect(childrenFirst(agents).map(({ name }) => name)).toEqual(['c', 'b', 'a']);
    expect(() => childrenFirst([...agents, { name: 'x', handoffs: ['a'] }])).toThrow('would hand over to itself');
  });
});
