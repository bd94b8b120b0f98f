import type { ImportWarning, ManifestAgent } from '@signalbox/contracts';
import { merged } from './manifest.js';
import { modelsOfManifest, withKnownModels, withTargets } from './manifest-references.js';

const nothing = { has: () => false, versionOf: () => null, hasRelease: () => false };

describe('a reference of a manifest', () => {
  const agent: ManifestAgent = {
    name: 'A',
    handoffs: ['Gone', { name: 'Here', version: '1.0.0', action_result_type: 'gather_info' }],
    routing: {
      config: { type: 'rules', default: { type: 'agent', agent: 'Gone' } },
      rules: [
        { label: 'r', conditions: [], route: { type: 'agent', agent: 'Gone' }, enabled: true },
        { label: 's', conditions: [], route: { type: 'agent', agent: 'Here' }, enabled: true },
      ],
    },
  };

  it('to an unknown agent is left unset and reported, with the routes that use it', () => {
    const warnings: ImportWarning[] = [];
    const full = withTargets(merged(null, agent, false), 3, { ...nothing, has: (name) => name === 'Here' }, warnings);
    expect(full.handoffs).toMatchObject([{ name: 'Here', version: null }]);
    expect(full.routing.config.default).toEqual({ type: 'llm' });
    expect(full.routing.rules.map(({ route }) => route)).toEqual([{ type: 'none' }, { type: 'agent', agent: 'Here' }]);
    expect(warnings.map(({ path }) => path)).toEqual([
      'agents[3].handoffs[0]',
      'agents[3].handoffs[1].version',
      'agents[3].routing.config.default.agent',
      'agents[3].routing.rules[0].route.agent',
    ]);
  });

  it('to a model that does not exist is left unset in every field', () => {
    const action = { action_name: 'a', action_config: { prompt: 'x', model_config: { model: 'n', temperature: 1 } } };
    const agents = [
      { name: 'A' },
      { name: 'B', model: 'm', agent_config: { steps: { respond: { model: 'n', prompt: 'p' } } }, actions: [action] },
    ] as unknown as ManifestAgent[];
    const warnings: ImportWarning[] = [];
    const unknown = modelsOfManifest(agents).filter(({ model }) => model === 'n');
    const [, left] = withKnownModels(agents, unknown, warnings);
    expect(left).toMatchObject({
      model: 'm',
      agent_config: { steps: { respond: { model: null, prompt: 'p' } } },
      actions: [{ action_config: { model_config: { model: null, temperature: 1 } } }],
    });
    expect(warnings.map(({ path }) => path)).toEqual([
      'agents[1].agent_config.steps.respond.model',
      'agents[1].actions[0].action_config.model_config.model',
    ]);
    expect(agents[1]).toMatchObject({ agent_config: { steps: { respond: { model: 'n' } } } });
  });
});
