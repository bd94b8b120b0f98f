import { lineOf, linesOf } from '../src/chunks/chunk-lines.js';

async function* cut(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe('lines in chunks', () => {
  const values = [{ text: 'a\nb' }, { text: 'zwölf 😀' }, { result: { n: 1 } }];

  it.each([1, 2, 3, 7, 1000])('are restored when cut every %i bytes', async (size) => {
    const read: object[] = [];
    for await (const value of linesOf<object>(cut(values.map(lineOf).join(''), size))) read.push(value);
    expect(read).toEqual(values);
  });

  it('are not emitted for a line that was cut off', async () => {
    const read: object[] = [];
    for await (const value of linesOf<object>(cut(`${lineOf({ a: 1 })}{"b":`, 4))) read.push(value);
    expect(read).toEqual([{ a: 1 }]);
  });
});
