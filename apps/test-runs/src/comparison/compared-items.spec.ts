import { comparedItems, goesInto, type ItemInRun } from './compared-items.js';

const row = (test_run_id: number, test_set_item_id: number, outcome: ItemInRun['outcome']): ItemInRun => ({
  test_run_id,
  test_set_item_id,
  outcome,
  matched: outcome === 'PASS',
  failure_class: null,
  duration_ms: 1,
});

describe('the items of compared runs', () => {
  it('have a result for each run, and are changed when these differ', () => {
    const items = comparedItems([row(1, 10, 'PASS'), row(1, 11, 'PASS'), row(2, 10, 'FAIL'), row(2, 11, 'PASS')]);
    expect(items.map(({ test_set_item_id, changed }) => [test_set_item_id, changed])).toEqual([
      [10, true],
      [11, false],
    ]);
    expect(Object.keys(items[0]?.results ?? {})).toEqual(['1', '2']);
  });

  it.each([
    ['PASS', 'FAIL', ['worse', 'changed']],
    ['FAIL', 'PASS', ['better', 'changed']],
    ['PASS', 'ERROR', ['error', 'changed']],
    ['ERROR', 'PASS', ['error', 'changed']],
    ['ERROR', 'ERROR', ['error']],
    ['PASS', 'PASS', []],
    ['FAIL', null, ['changed']],
  ] as const)('from %s to %s are listed under %j', (from, to, directions) => {
    const [item] = comparedItems([row(1, 10, from), row(2, 10, to)]);
    const found = (['worse', 'better', 'error', 'changed'] as const).filter(
      (each) => item && goesInto(item, [1, 2], each),
    );
    expect(found).toEqual(directions);
    expect(item && goesInto(item, [1, 2])).toBe(true);
  });

  it('are worse than the first run in any later one', () => {
    const [item] = comparedItems([row(1, 10, 'PASS'), row(2, 10, 'PASS'), row(3, 10, 'FAIL')]);
    expect(item && goesInto(item, [1, 2, 3], 'worse')).toBe(true);
    expect(item && goesInto(item, [3, 2, 1], 'better')).toBe(true);
  });
});
