import { runFilters } from './run-filters.view.js';

describe('the filters of runs', () => {
  it('are none without input', () => expect(runFilters({})).toEqual([]));

  it('keep values that are false or zero', () => {
    expect(runFilters({ shadow: false, min_cost: 0 }).map(({ value }) => value)).toEqual([false, 0]);
  });

  it('leave out runs that passed unless they are asked for', () => {
    expect(runFilters({ outcome: ['FAULT', 'ERROR'] })[0]?.sql).toContain(`t.outcome <> 'PASS'`);
    expect(runFilters({ outcome: ['FAULT', 'PASS'] })).toEqual([
      { sql: 't.outcome = ANY(?::text[])', value: ['FAULT', 'PASS'] },
    ]);
  });

  it('compare a version by its number, and the latest by its mark', () => {
    expect(runFilters({ version: '1.0.0' })).toEqual([{ sql: 't.version_number = ?', value: '1.0.0' }]);
    expect(runFilters({ release: 'prod' })).toEqual([{ sql: 't.release = ?', value: 'prod' }]);
    expect(runFilters({ version: 'latest' })[0]?.sql).toContain('is_latest');
  });
});
