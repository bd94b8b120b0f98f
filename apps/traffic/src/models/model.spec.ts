import { newModel, switchModel, updateModel } from './model.js';

const body = {
  model_name: 'gpt-x',
  provider_id: 1,
  supports_tools: true,
  supports_json_schema: true,
  trainable: false,
  status: 'ENABLED' as const,
};

describe('a model', () => {
  it('is called by its own name wherever no other is given', () => {
    expect(newModel(body)).toMatchObject({ display_name: 'gpt-x', provider_model: 'gpt-x', model_type: 'BASE' });
    expect(newModel({ ...body, display_name: 'X', provider_model: 'y' })).toMatchObject({
      display_name: 'X',
      provider_model: 'y',
    });
  });

  it.each([
    ['ENABLED', 'DISABLED', 'model.disabled'],
    ['DISABLED', 'ENABLED', 'model.enabled'],
    ['ENABLED', 'ENABLED', undefined],
    ['DISABLED', 'DISABLED', undefined],
  ] as const)('goes from %s to %s and tells %s', (from, to, event) => {
    const decision = switchModel({ status: from }, to);
    expect(decision.events?.[0]?.event).toBe(event);
    expect(decision.set?.status).toBe(event && to);
  });

  it('changes what an update names, null included', () => {
    expect(updateModel({ context_window: null, display_name: undefined }).set).toEqual({ context_window: null });
    expect(updateModel({})).toEqual({});
  });
});
