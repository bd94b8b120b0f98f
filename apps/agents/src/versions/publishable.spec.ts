import type { AgentSnapshot } from '../drafts/index.js';
import { modelsOf, publishProblems } from './publishable.js';

const snapshot = (actions: object[], model: string | null = null): AgentSnapshot =>
  ({ model, agent_config: {}, actions }) as unknown as AgentSnapshot;

describe('a snapshot that is about to be published', () => {
  it('needs a config for each action that is enabled', () => {
    const bare = { action_name: 'a', action_type: 'llm', enabled: true, action_config: null };
    expect(publishProblems(snapshot([bare, { ...bare, enabled: false }]), [])).toEqual([
      { field: 'actions[0].action_config', message: 'is missing: action a cannot run' },
    ]);
    expect(publishProblems(snapshot([{ ...bare, action_config: { prompt: 'x' } }]), [])).toEqual([]);
  });

  it('needs configs that are valid', () => {
    const action = { action_name: 'a', action_type: 'llm', enabled: true, action_config: { prompt: 7 } };
    const stored = { ...snapshot([action, { ...action, enabled: false }]), agent_config: { temperature: 'hot' } };
    expect(publishProblems(stored, []).map(({ field }) => field)).toEqual([
      'agent_config.temperature',
      'actions[0].action_config.prompt',
    ]);
  });

  it('names the models of the agent and of its actions', () => {
    const model_config = { model: 'n' };
    const action = {
      action_name: 'a',
      action_type: 'llm',
      enabled: true,
      action_config: { prompt: 'x', model_config },
    };
    const named = modelsOf(snapshot([action], 'm'));
    expect(named.map(({ model }) => model)).toEqual(['m', 'n']);
    expect(publishProblems(snapshot([action], 'm'), named).map(({ field }) => field)).toEqual([
      'model',
      'actions[0].action_config.model_config.model',
    ]);
  });
});
