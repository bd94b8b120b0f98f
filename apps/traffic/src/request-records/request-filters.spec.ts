import { conditionsOf } from './request-filters.view.js';

describe('a filter of requests', () => {
  it('has a condition for each thing that is given', () => {
    expect(conditionsOf({})).toEqual([]);
    expect(conditionsOf({ model: 'm', is_corrected: false, start_date: 0, text: '', tag_ids: [] })).toEqual([
      { sql: 't.model = ?', value: 'm' },
      { sql: '(t.corrected_response IS NOT NULL) = ?::boolean', value: false },
      { sql: 't.date_created >= ?', value: 0 },
    ]);
  });

  it('looks the tags of each request up where a span of dates is short', () => {
    const formOf = (span: object) =>
      conditionsOf({ tag_ids: [1], ...span })
        .at(-1)
        ?.sql.slice(0, 6);
    expect(formOf({ start_date: Date.now() - 86_400_000 })).toBe('EXISTS');
    expect(formOf({ start_date: 0, end_date: 86_400_000 })).toBe('EXISTS');
    expect(formOf({ start_date: 0 })).toBe('t.requ');
    expect(formOf({})).toBe('t.requ');
  });

  it('names the value of what few requests are, for which there is an index', () => {
    expect(conditionsOf({ is_corrected: true })).toEqual([{ sql: 't.corrected_response IS NOT NULL', value: true }]);
    expect(conditionsOf({ status: 'FAILED', evaluation_status: 'FAULT' })).toEqual([
      { sql: `t.status = 'FAILED'`, value: true },
      { sql: `t.evaluation_status = 'FAULT'`, value: true },
    ]);
    expect(conditionsOf({ status: 'COMPLETED', evaluation_status: 'PASS' })).toEqual([
      { sql: 't.evaluation_status = ?', value: 'PASS' },
      { sql: 't.status = ?', value: 'COMPLETED' },
    ]);
  });
});
