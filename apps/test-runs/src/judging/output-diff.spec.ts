import { diffOutputs, isMatch } from './output-diff.js';
import type { Output } from './output.js';

const call = (name: string, given: string) => ({
  id: 'c',
  type: 'function' as const,
  function: { name, arguments: given },
});

const same = (expected: Output, actual: Output): boolean => isMatch(diffOutputs(expected, actual));

describe('the default comparison', () => {
  it.each<[string, Output, Output, boolean]>([
    ['texts that differ in outer white space', { text: 'Paris' }, { text: ' Paris\n' }, true],
    ['texts that differ in case', { text: 'Paris' }, { text: 'paris' }, false],
    ['texts that are equal JSON', { text: '{"a":1,"b":2}' }, { text: '{ "b": 2, "a": 1 }' }, true],
    ['texts of which one is JSON', { text: '{"a":1}' }, { text: 'a is 1' }, false],
    ['a text and the content of a message', { text: 'hi' }, { message: { role: 'assistant', content: 'hi' } }, true],
    ['a text and a JSON text', { text: 'hi' }, { json: 'hi' }, true],
    ['a text and a JSON value', { text: '{"a":[1]}' }, { json: { a: [1] } }, true],
    ['a JSON value and its text', { json: { a: 1 } }, { text: '{"a":1}' }, true],
    ['a JSON value and a text that is no JSON', { json: { a: 1 } }, { text: 'a=1' }, false],
    ['a JSON text and a text that is no JSON', { json: 'hi' }, { text: 'hi' }, false],
    ['null and nothing', { json: { a: null } }, { json: {} }, false],
    ['a list and an object with the same keys', { json: [1] }, { json: { 0: 1 } }, false],
    ['lists in another order', { json: [1, 2] }, { json: [2, 1] }, false],
    [
      'messages with equal parts',
      { message: { role: 'assistant', content: [{ type: 'text', text: 'hi' }] } },
      { text: 'hi' },
      true,
    ],
    [
      'tool calls with equal arguments and other ids',
      { message: { role: 'assistant', content: null, tool_calls: [call('f', '{"a":1}')] } },
      { message: { role: 'assistant', content: '', tool_calls: [{ ...call('f', '{ "a": 1 }'), id: 'd' }] } },
      true,
    ],
    [
      'a missing tool call',
      { message: { role: 'assistant', content: null, tool_calls: [call('f', '{}')] } },
      { message: { role: 'assistant', content: null } },
      false,
    ],
  ])('of %s', (_name, expected, actual, matches) => {
    expect(same(expected, actual)).toBe(matches);
  });

  it('takes JSON that is nested too deep to be walked as a text', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
    const deep = nested(20_000);
    expect(same({ json: { a: 1 } }, { text: deep })).toBe(false);
    expect(same({ text: '{"a":1}' }, { text: deep })).toBe(false);
    expect(same({ text: deep }, { text: deep })).toBe(true);
    expect(same({ text: nested(1_000) }, { json: JSON.parse(nested(1_000)) as unknown })).toBe(true);
  });

  it('names each field with its path', () => {
    const { fields, matched_count, total_count, match_rate } = diffOutputs(
      { json: { name: 'Ada', tags: ['x', 'y'], address: { city: 'Bern', zip: 3000 } } },
      { json: { name: 'Ada', tags: ['x', 'z'], address: { city: 'Bern' }, more: true } },
    );
    expect(fields).toEqual([
      { path: 'tags[1]', status: 'mismatch', expected: 'y', actual: 'z' },
      { path: 'address.zip', status: 'missing', expected: 3000, actual: null },
      { path: 'more', status: 'extra', expected: null, actual: true },
      { path: 'name', status: 'match', expected: 'Ada', actual: 'Ada' },
      { path: 'tags[0]', status: 'match', expected: 'x', actual: 'x' },
      { path: 'address.city', status: 'match', expected: 'Bern', actual: 'Bern' },
    ]);
    expect([matched_count, total_count, match_rate]).toEqual([3, 6, 0.5]);
  });
});
