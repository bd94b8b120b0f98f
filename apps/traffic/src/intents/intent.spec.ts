import { newIntent, requireBelow, updateIntent } from './intent.js';

describe('an intent', () => {
  it('is created with the given fields only', () => {
    expect(newIntent({ action_type: 'ask', config: { model: null, n: 2 } })).toEqual({
      action_type: 'ask',
      description: null,
      prompt: null,
      agent_id: null,
      meta: {},
      config: { n: 2 },
    });
  });

  it('changes the fields of an update, and emits nothing for an empty one', () => {
    expect(updateIntent({ agent_id: null })).toEqual({
      set: { agent_id: null },
      events: [{ event: 'intent.updated' }],
    });
    expect(updateIntent({})).toEqual({});
  });

  it('is found below its own application only', () => {
    expect(() => requireBelow(1, { application_id: 2 })).toThrow('intent not found');
    expect(() => requireBelow(2, { application_id: 2 })).not.toThrow();
  });
});
