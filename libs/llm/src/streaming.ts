import type { EgressStream } from '@signalbox/egress';
import type { ChatChunk } from './chat.js';
import { failed, messageIn, parsed, transportError } from './failures.js';
import { ProviderError } from './provider.js';
import { ServerSentEvents } from './sse.js';

const MAX_ERROR_BYTES = 64_000;
const DRAIN_MS = 1_000;

/** The chunks of a streamed answer, judged to be complete or not. */
export async function* chunksOf(answer: EgressStream): AsyncGenerator<ChatChunk, void> {
  const body = answer.body[Symbol.asyncIterator]();
  const events = new ServerSentEvents();
  let finished = false;
  let done = false;
  try {
    for (let ended = false; !ended;) {
      const next = await body.next();
      ended = next.done === true;
      for (const data of next.done ? events.end() : events.push(next.value)) {
        if (data === '[DONE]') return void (done = true);
        const chunk = chunkIn(data);
        if (!chunk) continue;
        finished ||= chunk.choices.some(({ finish_reason }) => Boolean(finish_reason));
        yield chunk;
      }
    }
    if (!finished) throw failed('stream_interrupted', 'the stream of the provider ended before the answer did');
  } catch (error) {
    throw streamError(error);
  } finally {
    if (done) drained(body, answer);
    else answer.close();
  }
}

function chunkIn(data: string): ChatChunk | null {
  const chunk = parsed(data) as ChatChunk & { error?: unknown };
  if (chunk?.error) throw failed('provider_error', `the provider failed while answering: ${messageIn(data)}`);
  return Array.isArray(chunk?.choices) ? chunk : null;
}

/** Lets the last bytes of a finished stream arrive, nobody waiting for them, so that its connection can be used again. */
function drained(body: AsyncIterator<Uint8Array>, answer: EgressStream): void {
  const timer = setTimeout(() => answer.close(), DRAIN_MS);
  body
    .next()
    .catch(() => undefined)
    .finally(() => {
      clearTimeout(timer);
      answer.close();
    });
}

/** As much of a body as is needed to say what went wrong. */
export async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const part of body) {
      parts.push(part);
      size += part.length;
      if (size > MAX_ERROR_BYTES) break;
    }
  } catch {
    // What came so far has to do as a message.
  }
  return Buffer.concat(parts).toString('utf8');
}

/** The failure behind a stream that broke. */
function streamError(error: unknown): unknown {
  if (error instanceof RangeError) return failed('invalid_response', error.message);
  const known = transportError(error);
  if (!(known instanceof ProviderError) || known.code !== 'network') return known;
  return failed('stream_interrupted', 'the stream of the provider ended before the answer did');
}
