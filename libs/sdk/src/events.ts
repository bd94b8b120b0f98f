import { apiError, ConnectionError, SignalboxError } from './errors.js';

/** One frame of a stream of server-sent events. */
export interface Frame {
  id: string | null;
  event: string | null;
  data: string;
}

/** Pings come every 15 s; a connection that is silent for longer is lost. */
const SILENCE_MS = 45_000;

function frameOf(block: string): Frame | null {
  const frame: Frame = { id: null, event: null, data: '' };
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const at = line.indexOf(':');
    if (at <= 0) continue;
    const value = line.slice(at + 1).replace(/^ /, '');
    const name = line.slice(0, at);
    if (name === 'data') data.push(value);
    else if (name === 'id' || name === 'event') frame[name] = value;
  }
  return data.length > 0 ? { ...frame, data: data.join('\n') } : null;
}

/** The next chunk, or an error when the connection is silent for too long. */
async function nextChunk(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ConnectionError(`the stream was silent for ${SILENCE_MS} ms`)), SILENCE_MS);
  });
  try {
    const { done, value } = await Promise.race([reader.read(), silence]);
    return done ? null : value;
  } finally {
    clearTimeout(timer);
  }
}

/** The frames of a body; pings are left out. */
export async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let chunk = await nextChunk(reader); chunk !== null; chunk = await nextChunk(reader)) {
      const blocks = `${text}${decoder.decode(chunk, { stream: true })}`.replace(/\r\n?/g, '\n').split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const frame = frameOf(block);
        if (frame) yield frame;
      }
    }
  } finally {
    // Closes the connection when the reader stops early.
    await reader.cancel().catch(() => undefined);
  }
}

const TERMINAL = /^(task|run)\.(completed|failed|cancelled|timed_out)$/;

/** Whether an event is the last one of its task or run. */
export const isTerminal = (event: unknown): boolean => TERMINAL.test((event as { type?: string } | null)?.type ?? '');

const DONE = '[DONE]';

/** The chunks of a chat completion; an error frame is thrown, and so is an end without `[DONE]`. */
export async function* completionChunks(body: ReadableStream<Uint8Array>, headers: Headers): AsyncGenerator<unknown> {
  for await (const { data } of framesOf(body)) {
    if (data === DONE) return;
    const chunk = parsed(data) as { error?: { status?: number } };
    if (chunk.error) throw apiError(chunk.error.status ?? 500, data, headers);
    yield chunk;
  }
  throw new ConnectionError('the stream of the completion ended before its last chunk');
}

/** The JSON of a frame. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SignalboxError('the stream contains a frame that is not JSON');
  }
}
