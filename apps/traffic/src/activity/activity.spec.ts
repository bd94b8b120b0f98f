import { type Active, activityCounts } from './activity.js';

const request = (more: Partial<Active>): Active => ({
  application_id: 1,
  intent_id: 2,
  intent_group_id: 3,
  model: 'm',
  date_created: 10,
  ...more,
});

describe('the activity of some requests', () => {
  it('counts by application, intent and model, in one order for all', () => {
    const requests = [
      request({ application_id: 10, date_created: 9 }),
      request({ date_created: 30 }),
      request({ date_created: 20 }),
      request({ model: 'a' }),
      request({ intent_id: null, intent_group_id: null }),
      request({ application_id: null }),
    ];
    expect(activityCounts(requests)).toEqual([
      { application_id: 1, intent_id: 0, intent_group_id: null, model: 'm', requests: 1, last_at: 10 },
      { application_id: 1, intent_id: 2, intent_group_id: 3, model: 'a', requests: 1, last_at: 10 },
      { application_id: 1, intent_id: 2, intent_group_id: 3, model: 'm', requests: 2, last_at: 30 },
      { application_id: 10, intent_id: 2, intent_group_id: 3, model: 'm', requests: 1, last_at: 9 },
    ]);
    expect(activityCounts([])).toEqual([]);
  });
});
