import { linesOf } from './lines.js';

async function* partsOf(parts: string[]): AsyncGenerator<string> {
  for (const part of parts) yield await Promise.resolve(part);
}

async function textsOf(...parts: string[]): Promise<(string | null)[]> {
  const texts: (string | null)[] = [];
  for await (const { text } of linesOf(partsOf(parts), 100)) texts.push(text);
  return texts;
}

describe('lines of a text that arrives in parts', () => {
  it('drop a byte order mark at the start of the text, in whichever part it arrives', async () => {
    expect(await textsOf('\uFEFFa\n', 'b')).toEqual(['a', 'b']);
    expect(await textsOf('', '\uFEFFa\nb')).toEqual(['a', 'b']);
  });

  it('keep the same character at the start of a later part', async () => {
    expect(await textsOf('a\n', '\uFEFFb\nc', '\uFEFFd')).toEqual(['a', '\uFEFFb', 'c\uFEFFd']);
  });
});
