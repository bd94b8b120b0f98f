import { StringDecoder } from 'node:string_decoder';
import { isJsonObject } from '@signalbox/contracts';
import { Transform } from '@signalbox/platform';
import type { EgressStream } from '@signalbox/egress';
import { type Frame, ServerSentEvents } from '@signalbox/sdk/server-sent-events';
import { type ChatChunk, WRITTEN } from './chat.js';
import { errorIn, failed, parsed, transportError } from './failures.js';
import { ProviderError } from './provider.js';

const MAX_EVENT_CHARS = 4_000_000;
const MAX_ERROR_BYTES = 64_000;
const DRAIN_MS = 1_000;
const BROKEN = 'the stream of the provider ended before the answer was complete';

/** Fails when the stream ends before the answer is complete. */
export class AnsweredChunks extends Transform<Uint8Array, ChatChunk> {
  /** Faster than TextDecoder for small chunks. */
  private readonly events = new ServerSentEvents(MAX_EVENT_CHARS, new StringDecoder('utf8') as never);
  private finished = false;
  private over = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly answer: EgressStream) {
    super(answer.body);
  }

  chunk(bytes: Uint8Array): void {
    this.forward(() => this.events.push(bytes));
  }

  end(): void {
    this.forward(() => this.events.end());
    if (this.finished) this.complete();
    if (this.over) this.close();
    else this.fail(failed('stream_interrupted', BROKEN));
  }

  fail(error: unknown): void {
    const first = !this.over;
    this.over = true;
    this.close();
    if (first) this.destroy(streamError(error));
  }

  override stop(): void {
    this.over = true;
    clearTimeout(this.timer);
    super.stop();
  }

  private forward(read: () => Frame[]): void {
    if (this.over) return;
    try {
      for (const { data } of read()) {
        if (data === null) continue;
        if (data === '[DONE]') return this.complete();
        const chunk = chunkIn(data);
        if (!chunk) continue;
        this.finished ||= chunk.choices.some(({ finish_reason }) => Boolean(finish_reason));
        this.push(chunk);
      }
    } catch (error) {
      this.fail(error);
    }
  }

  /** Drains the last bytes in the background, so that the connection is reused. */
  private complete(): void {
    if (this.over) return;
    this.over = true;
    this.timer = setTimeout(() => this.close(), DRAIN_MS);
    this.finish();
  }

  private close(): void {
    clearTimeout(this.timer);
    this.answer.close();
  }
}

function chunkIn(data: string): ChatChunk | null {
  const chunk = parsed(data) as ChatChunk;
  const error = errorIn(chunk);
  if (error) throw error;
  if (!Array.isArray(chunk?.choices)) return null;
  if (!chunk.choices.every(isChoice)) throw failed('invalid_response', 'the provider sent a chunk of another form');
  // Clients require a delta; a chunk to which one is added cannot be forwarded unchanged.
  const isBare = chunk.choices.some(({ delta }) => delta == null);
  if (isBare) for (const choice of chunk.choices) choice.delta ??= {};
  // An event may have several lines; JSON that is forwarded in one frame must have one.
  if (!isBare && !data.includes('\n')) chunk[WRITTEN] = data;
  return chunk;
}

function isChoice(choice: unknown): boolean {
  if (!isJsonObject(choice)) return false;
  const delta = choice['delta'] ?? {};
  if (!isJsonObject(delta)) return false;
  const calls = delta['tool_calls'];
  return calls == null || (Array.isArray(calls) && calls.every(isCallDelta));
}

function isCallDelta(call: unknown): boolean {
  if (!isJsonObject(call)) return false;
  const called = call['function'] ?? {};
  return (
    isJsonObject(called) &&
    [called['name'], called['arguments']].every((part) => part == null || typeof part === 'string')
  );
}

/** As much of a body as an error message needs. */
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
    // The bytes read so far are used for the message.
  }
  return Buffer.concat(parts).toString('utf8');
}

function streamError(error: unknown): unknown {
  if (error instanceof RangeError) return failed('invalid_response', error.message);
  const known = transportError(error);
  if (!(known instanceof ProviderError) || known.code !== 'network') return known;
  return failed('stream_interrupted', BROKEN);
}
