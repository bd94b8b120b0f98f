import { modelsOfAction, modelsOfAgent } from './stored-configs.js';

describe('the models that a definition refers to', () => {
  it('are that of the agent and those of its steps', () => {
    const agent_config = { steps: { process: { model: 'b' }, respond: { prompt: 'x' }, orchestrate: null } };
    expect(modelsOfAgent({ model: 'a', agent_config })).toEqual([
      { field: 'model', model: 'a' },
      { field: 'agent_config.steps.process.model', model: 'b' },
    ]);
    expect(modelsOfAgent({ model: null, agent_config: {} })).toEqual([]);
  });

  it('are those of its llm actions', () => {
    expect(modelsOfAction({ prompt: 'x', model_config: { model: 'c' } }, 'actions[2].')).toEqual([
      { field: 'actions[2].action_config.model_config.model', model: 'c' },
    ]);
    expect(modelsOfAction(null)).toEqual([]);
    expect(modelsOfAction({ endpoint: '/x' })).toEqual([]);
  });
});
