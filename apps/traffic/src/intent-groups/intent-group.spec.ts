import { newIntentGroup, updateIntentGroup } from './intent-group.js';

describe('an intent group', () => {
  it('is created without intents and without a configuration', () => {
    expect(newIntentGroup({ intent_group_name: 'ask' })).toEqual({
      intent_group_name: 'ask',
      description: null,
      meta: {},
      config: {},
    });
  });

  it('changes the fields of an update, and emits nothing for an empty one', () => {
    expect(updateIntentGroup({ meta: {} })).toEqual({ set: { meta: {} }, events: [{ event: 'intent_group.updated' }] });
    expect(updateIntentGroup({})).toEqual({});
  });
});
