import { apiError, ConnectionError, SignalboxError } from './errors.js';
import { type Frame, ServerSentEvents } from './server-sent-events.js';

/** Pings come every 15 s; a connection that is silent for longer is lost. */
const SILENCE_MS = 45_000;

const MAX_FRAME_CHARS = 100_000_000;

/** Rejects when the connection is silent for too long. */
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

/** Without pings. */
export async function* framesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame> {
  const reader = body.getReader();
  const events = new ServerSentEvents(MAX_FRAME_CHARS);
  try {
    for (let chunk = await nextChunk(reader); chunk !== null; chunk = await nextChunk(reader))
      yield* events.push(chunk);
  } finally {
    // Closes the connection when the reader stops early.
    await reader.cancel().catch(() => undefined);
  }
}

/** The platform has ended the stream with an error. */
export const isErrorFrame = ({ id, event }: Frame): boolean => id === null && event === 'error';

/** Nothing is left of the stream. */
export const isEndFrame = ({ event, data }: Frame): boolean => event === 'end' && data === null;

const REASONS: Record<number, string> = {
  401: 'the key was revoked or has expired',
  403: 'the key has lost the scope of the stream',
  404: 'what the stream belongs to was deleted',
};

export function streamError({ data }: Frame, headers: Headers): Error {
  const status = (parsed(data ?? 'null') as { status?: number } | null)?.status ?? 500;
  const message = REASONS[status] ?? `the platform ended the stream with status ${status}`;
  return apiError(status, JSON.stringify({ error: { status, message } }), headers);
}

const TERMINAL = /^(task|run)\.(completed|failed|cancelled|timed_out)$/;

/** Of a task or run. */
export const isTerminal = (event: unknown): boolean => TERMINAL.test((event as { type?: string } | null)?.type ?? '');

const DONE = '[DONE]';

/** Throws for an error frame, and for an end without `[DONE]`. */
export async function* completionChunks(body: ReadableStream<Uint8Array>, headers: Headers): AsyncGenerator<unknown> {
  for await (const { data } of framesOf(body)) {
    if (data === null) continue;
    if (data === DONE) return;
    const chunk = parsed(data) as { error?: { status?: number } };
    if (chunk.error) throw apiError(chunk.error.status ?? 500, data, headers);
    yield chunk;
  }
  throw new ConnectionError('the stream of the completion ended before its last chunk');
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new SignalboxError('the stream contains a frame that is not JSON');
  }
}
