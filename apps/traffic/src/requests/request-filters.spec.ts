import { conditionsOf, textPattern } from './request-filters.js';

describe('a filter of requests', () => {
  it('has a condition for each thing that is given', () => {
    expect(conditionsOf({})).toEqual([]);
    expect(conditionsOf({ model: 'm', is_corrected: false, start_date: 0, text: '', tag_ids: [] })).toEqual([
      { sql: 't.model = ?', value: 'm' },
      { sql: '(t.corrected_response IS NOT NULL) = ?::boolean', value: false },
      { sql: 't.date_created >= ?', value: 0 },
    ]);
  });

  it('finds text as it is written in JSON, literally', () => {
    expect(textPattern('50%_')).toBe('%50\\%\\_%');
    expect(textPattern('a "b"\n')).toBe('%a \\\\"b\\\\"\\\\n%');
  });
});
