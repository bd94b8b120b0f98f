import { INPUT_BYTES } from '@signalbox/contracts';
import { bodyBytes, type ItemChange, type ItemState, requireInSet, updateItem } from './item.js';

const item = (source_type: ItemState['source_type']): ItemState => ({
  test_set_id: 1,
  source_type,
  input: { input: { a: 1, b: 2 } },
  expected_output: { text: 'yes' },
});

describe('a change of an item', () => {
  const other: [string, ItemChange][] = [
    ['input', { input: { input: { a: 1, b: 3 } } }],
    ['expected_output', { expected_output: { text: 'no' } }],
    ['expected_output', { expected_output: null }],
  ];

  it.each(other)('of its %s is made in a manual one and refused in an imported one: %j', (_name, change) => {
    expect(updateItem(item('MANUAL'), change).set).toMatchObject(change);
    for (const source of ['REQUEST', 'WORKFLOW_RUN', 'AGENT_TASK'] as const)
      expect(() => updateItem(item(source), change)).toThrow(expect.objectContaining({ status: 409 }));
  });

  it('may repeat the baseline of an imported one, and change its meta', () => {
    const same = { input: { input: { b: 2, a: 1 } }, expected_output: { text: 'yes' }, meta: { seen: true } };
    expect(updateItem(item('REQUEST'), same).events).toEqual([{ event: 'test_set_item.updated' }]);
    expect(updateItem(item('REQUEST'), {})).toEqual({});
  });
});

describe('the bodies of an item', () => {
  it('are counted in bytes of JSON, with a limit for the input', () => {
    expect(bodyBytes({ input: 'é' }, { text: 'a' })).toBe(26);
    const largest = 'x'.repeat(INPUT_BYTES - '{"input":""}'.length);
    expect(bodyBytes({ input: largest }, null)).toBe(INPUT_BYTES);
    expect(() => bodyBytes({ input: `${largest}x` }, null)).toThrow(expect.objectContaining({ status: 400 }));
  });
});

it('is not found in another set', () => {
  expect(() => requireInSet({ test_set_id: 1 }, 1)).not.toThrow();
  expect(() => requireInSet({ test_set_id: 1 }, 2)).toThrow(expect.objectContaining({ status: 404 }));
});
