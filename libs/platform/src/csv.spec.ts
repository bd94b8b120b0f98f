import { csvCell, csvRecord } from './csv.js';

it('quotes every cell, and leaves null empty', () => {
  expect(csvRecord(['a"b', null, 'c,\n'])).toBe('"a""b",,"c,\n"\r\n');
});

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', "'=1", "''@"])(
  'begins %j with an apostrophe, which reading removes',
  (text) => {
    const written = csvRecord([text]);
    expect(written).toBe(`"'${text}"\r\n`);
    expect(csvCell(written.slice(1, -3))).toBe(text);
  },
);

it.each(['', 'a=1', "'", "'quoted'", ' =1', '1-1', '"='])('writes and reads %j as it is', (text) => {
  expect(csvRecord([text])).toBe(`"${text.replaceAll('"', '""')}"\r\n`);
  expect(csvCell(text)).toBe(text);
});
