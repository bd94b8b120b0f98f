const MAX_EVENT_CHARS = 4_000_000;

/** The `data` of each event of a server-sent stream, whatever its chunk boundaries and line ends. */
export async function* eventData(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of lines(chunks)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n');
      data = [];
    } else if (line === 'data' || line.startsWith('data:')) {
      data.push(line.slice(5).replace(/^ /, ''));
    }
    // Comments and other fields carry nothing for us.
  }
  // Some servers end the stream right after the last line.
  if (data.length > 0) yield data.join('\n');
}

async function* lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    if (rest.length > MAX_EVENT_CHARS) throw new RangeError('an event of the stream is too long');
    // A CR at the very end may be the first half of a CRLF.
    const end = rest.endsWith('\r') ? rest.length - 1 : rest.length;
    const parts = rest.slice(0, end).split(/\r\n|\n|\r/);
    rest = parts.pop()! + rest.slice(end);
    yield* parts;
  }
  rest += decoder.decode();
  if (rest !== '') yield* rest.split(/\r\n|\n|\r/);
}
