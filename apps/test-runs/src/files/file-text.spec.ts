import { jsonlLine } from './file-text.js';

it('writes a line of JSON without what is absent', () => {
  const item = { input: '{"input":1}', source_id: 'a"b', meta: null };
  const line = jsonlLine(item, ['input', 'source_id', 'meta'], new Set(['input', 'meta']));
  expect(line).toBe('{"input":{"input":1},"source_id":"a\\"b"}\n');
});
