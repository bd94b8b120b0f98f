import type { ResponseFormat } from '@signalbox/contracts';
import { readAnswer } from './conversation.js';

const OBJECT: ResponseFormat = { type: 'json_object' };
const SCHEMA: ResponseFormat = { type: 'json_schema', json_schema: { name: 'n', schema: {} } };

describe('an answer', () => {
  it.each<[string, ResponseFormat | null, object]>([
    ['{"a":1}', null, { value: null, content: '{"a":1}' }],
    ['hello', { type: 'text' }, { value: null, content: 'hello' }],
    [' {"a":1} ', OBJECT, { value: { a: 1 }, content: '{"a":1}' }],
    ['```json\n{"a":1}\n```', OBJECT, { value: { a: 1 }, content: '{"a":1}' }],
    ['hello', OBJECT, { problem: 'it is not JSON' }],
    ['[1]', OBJECT, { problem: 'it is not a JSON object' }],
    ['null', OBJECT, { problem: 'it is not a JSON object' }],
    ['[1]', SCHEMA, { value: [1], content: '[1]' }],
  ])('%j under %j', (content, format, expected) => {
    expect(readAnswer({ role: 'assistant', content }, format)).toEqual(expected);
  });
});
