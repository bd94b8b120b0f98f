export const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;

/** Parses lines of JSON, wherever the chunks were cut. */
export async function* linesOf<T>(chunks: AsyncIterable<Uint8Array | string>): AsyncGenerator<T> {
  const decoder = new TextDecoder();
  let begun = '';
  for await (const chunk of chunks) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    // Splitting would copy all that has arrived of a long line.
    if (!text.includes('\n')) {
      begun += text;
      continue;
    }
    const lines = (begun + text).split('\n');
    begun = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as T;
  }
}
