import {
  conflict,
  emits,
  type Expected,
  INPUT_BYTES,
  invalidField,
  type ItemSource,
  notFound,
  sameJson,
  type TestInput,
} from '@signalbox/contracts';

export interface ItemState {
  test_set_id: number;
  source_type: ItemSource;
  input: TestInput;
  expected_output: Expected | null;
}

export interface ItemChange {
  input?: TestInput;
  expected_output?: Expected | null;
  meta?: Record<string, unknown>;
}

const bytesOf = (value: unknown): number => (value == null ? 0 : Buffer.byteLength(JSON.stringify(value)));

/** Of the JSON; 400 for an input over its limit. */
export function bodyBytes(input: TestInput, expected: Expected | null): number {
  const bytes = bytesOf(input);
  if (bytes > INPUT_BYTES) throw invalidField('input', `must be at most ${INPUT_BYTES} bytes of JSON`);
  return bytes + bytesOf(expected);
}

export function requireInSet(item: Pick<ItemState, 'test_set_id'>, setId: number): void {
  if (item.test_set_id !== setId) throw notFound('test set item');
}

/** 409 for another input or expected output of an imported item. */
export function updateItem(item: ItemState, change: ItemChange) {
  const differs = (name: 'input' | 'expected_output'): boolean =>
    change[name] !== undefined && !sameJson(change[name], item[name]);
  const changed = (['input', 'expected_output'] as const).find(differs);
  if (changed && item.source_type !== 'MANUAL')
    throw conflict(
      `the ${changed} of an item imported from ${item.source_type} cannot be changed: override it instead`,
    );
  if (Object.keys(change).length === 0) return {};
  const { input, expected_output } = { ...item, ...change };
  return {
    set: { ...change, body_bytes: bodyBytes(input, expected_output) },
    events: [emits('test_set_item.updated')],
  };
}
