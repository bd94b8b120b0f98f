import { conditionsOf } from './request-filters.view.js';

describe('a filter of requests', () => {
  it('has a condition for each thing that is given', () => {
    expect(conditionsOf({})).toEqual([]);
    expect(conditionsOf({ model: 'm', is_corrected: false, start_date: 0, text: '', tag_ids: [] })).toEqual([
      { sql: 't.model = ?', value: 'm' },
      { sql: '(t.corrected_response IS NOT NULL) = ?::boolean', value: false },
      { sql: 't.date_created >= ?', value: 0 },
    ]);
    expect(conditionsOf({ is_corrected: true })).toEqual([{ sql: 't.corrected_response IS NOT NULL', value: true }]);
  });
});
