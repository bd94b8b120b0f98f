import { newIntentGroup, updateIntentGroup } from './intent-group.js';

describe('an intent group', () => {
  it('made by hand waits for intents of its name, without a configuration', () => {
    expect(newIntentGroup({ intent_group_name: 'ask' })).toEqual({
      intent_group_name: 'ask',
      description: null,
      meta: {},
      config: {},
    });
  });

  it('changes what an update names, and tells nothing when it names nothing', () => {
    expect(updateIntentGroup({ meta: {} })).toEqual({ set: { meta: {} }, events: [{ event: 'intent_group.updated' }] });
    expect(updateIntentGroup({})).toEqual({});
  });
});
