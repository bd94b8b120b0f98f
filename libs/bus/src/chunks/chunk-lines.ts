/** A value as one line of a reply in pieces. */
export const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;

/** The values of a reply in pieces that consists of lines, however the pieces were cut. */
export async function* linesOf<T>(pieces: AsyncIterable<Uint8Array | string>): AsyncGenerator<T> {
  const decoder = new TextDecoder();
  let begun = '';
  for await (const piece of pieces) {
    const text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    const lines = (begun + text).split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as T;
  }
}
