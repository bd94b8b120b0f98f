import { storableJson, storableText } from './json-text.js';

describe('text for Postgres', () => {
  it.each([
    ['a\0b', 'a\ufffdb'],
    ['\ud800x', '\ufffdx'],
    ['x\udfff', 'x\ufffd'],
    ['\\u0000', '\\u0000'],
    ['\\\0', '\\\ufffd'],
    ['😀 "quoted"\n', '😀 "quoted"\n'],
  ])('%j becomes %j, alone and in JSON', (given, stored) => {
    expect(storableText(given)).toBe(stored);
    expect(JSON.parse(storableJson({ [given]: [given] }))).toEqual({ [stored]: [stored] });
  });

  it('has a text for undefined', () => {
    expect(storableJson(undefined)).toBe('null');
  });
});
