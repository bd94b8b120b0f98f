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
  it('has its model name where no other name is given', () => {
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
  ] as const)('changes from %s to %s and emits %s', (from, to, event) => {
    const decision = switchModel({ status: from }, to);
    expect(decision.events?.[0]?.event).toBe(event);
    expect(decision.set?.status).toBe(event && to);
  });

  it('changes the fields of an update, including null', () => {
    expect(updateModel({ context_window: null, display_name: undefined }).set).toEqual({ context_window: null });
    expect(updateModel({})).toEqual({});
  });
});
