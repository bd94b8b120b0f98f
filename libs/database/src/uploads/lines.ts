/** The text is null when the line is too long. */
export interface FileLine {
  line: number;
  text: string | null;
}

export async function* linesOf(texts: AsyncIterable<string>, maxChars: number): AsyncGenerator<FileLine> {
  const joined = (begun: string | null, end: string): string | null =>
    begun === null || begun.length + end.length > maxChars ? null : begun + end;
  let begun: string | null = '';
  let line = 0;
  let isStart = true;
  for await (const part of texts) {
    // A byte order mark is removed only at the start of the text.
    const ends = (isStart ? part.replace(/^\uFEFF/, '') : part).split('\n');
    isStart &&= part === '';
    const last = ends.pop() ?? '';
    for (const end of ends) {
      line += 1;
      yield { line, text: joined(begun, end) };
      begun = '';
    }
    begun = joined(begun, last);
  }
  if (begun !== '') yield { line: line + 1, text: begun };
}
