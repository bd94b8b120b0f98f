import { runFiltersOf } from './run-filters.js';

const filters = {
  version: 't.version = ?',
  latest: 't.is_latest',
  open: 't.is_open',
  text: 't.output ILIKE ?',
  min_cost: 't.cost >= ?',
};

describe('the filters of runs', () => {
  it('are none without input', () => expect(runFiltersOf({ filters }, {})).toEqual([]));

  it('compare a version by its number, and the latest by its own condition', () => {
    expect(runFiltersOf({ filters }, { version: '1.0.0' })).toEqual([{ sql: 't.version = ?', value: '1.0.0' }]);
    expect(runFiltersOf({ filters }, { version: 'latest' })).toEqual([{ sql: 't.is_latest', value: null }]);
  });

  it('find open rows where only open states are asked for', () => {
    const of = (...status: string[]) => runFiltersOf({ filters }, { status }).map(({ sql }) => sql);
    expect(of('QUEUED', 'WAITING_WEBHOOK')).toEqual(['t.is_open']);
    expect(of('QUEUED', 'FAILED')).toEqual([]);
  });

  it('search text as it is inside of JSON', () => {
    expect(runFiltersOf({ filters }, { text: 'say "yes"' })).toEqual([
      { sql: 't.output ILIKE ?', value: '%say \\\\"yes\\\\"%' },
    ]);
  });
});
