import { csvRecord } from './csv.js';

it('quotes every cell, and leaves null empty', () => {
  expect(csvRecord(['a"b', null, 'c,\n'])).toBe('"a""b",,"c,\n"\r\n');
});
