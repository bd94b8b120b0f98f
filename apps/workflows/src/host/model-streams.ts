import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { BusClient, linesOf } from '@signalbox/bus';
import { type Caller, chat, type ChatDelta, type ChatResult } from '@signalbox/contracts';
import { retriedCall } from '@signalbox/runs';
import { ScriptHostError } from '@signalbox/scripts';
import { type HostContext, ScriptEnded } from './host-call.js';
import { ChunkBuffer } from './chunk-buffer.js';
import { ModelCall } from './model-call.js';

const MAX_OPEN = 16;

interface OpenStream {
  buffer: ChunkBuffer<object>;
  close(): void;
}

/**
 * `ctx.chat.completions.stream`: recorded like a call without streaming. The model is read no faster than the script
 * reads; closing the stream cancels the call.
 */
@Injectable()
export class ModelStreams {
  /** By number; those of a script may be anything. */
  private readonly open = new WeakMap<HostContext, Map<unknown, OpenStream>>();

  constructor(private readonly bus: BusClient) {}

  /** Resolves with the number of the stream when its first delta has arrived. */
  async begin(context: HostContext, [request]: readonly unknown[]): Promise<number> {
    const streams = this.of(context);
    if (streams.size >= MAX_OPEN) throw new ScriptHostError('RangeError', `a run has at most ${MAX_OPEN} open streams`);
    const call = ModelCall.begin(context, request);
    const closed = new AbortController();
    const buffer = new ChunkBuffer<object>();
    const own: OpenStream = { buffer, close: () => closed.abort() };
    streams.set(call.step, own);
    const signal = AbortSignal.any([context.signal, closed.signal]);
    // At once, because nothing can be written for the run after its script has ended.
    const abandoned = (): void => {
      if (closed.signal.aborted || context.signal.reason instanceof ScriptEnded) call.abandoned();
    };
    signal.addEventListener('abort', abandoned, { once: true });
    const over = (): void => signal.removeEventListener('abort', abandoned);
    try {
      const open = (caller: Caller) => this.bus.stream(chat.endpoints.stream, call.input, caller, signal);
      const { chunks } = await retriedCall(context.job.companyId, signal, open, call.chain);
      void this.pump(linesOf<ChatDelta>(chunks), call, buffer, signal).finally(over);
      return call.step;
    } catch (error) {
      over();
      streams.delete(call.step);
      signal.throwIfAborted();
      throw call.failed(error);
    }
  }

  /** The chunks since the last read; at least one unless the answer is complete. */
  async read(context: HostContext, [number]: readonly unknown[]): Promise<{ chunks: object[]; done: boolean }> {
    const streams = this.of(context);
    const own = streams.get(number);
    if (!own) throw new ScriptHostError('TypeError', 'the stream is not open');
    try {
      const part = await own.buffer.take();
      if (part.done) streams.delete(number);
      return part;
    } catch (error) {
      streams.delete(number);
      throw error;
    }
  }

  close(context: HostContext, [number]: readonly unknown[]): Promise<null> {
    const streams = this.of(context);
    streams.get(number)?.close();
    streams.delete(number);
    return Promise.resolve(null);
  }

  private of(context: HostContext): Map<unknown, OpenStream> {
    const known = this.open.get(context) ?? new Map<unknown, OpenStream>();
    this.open.set(context, known);
    return known;
  }

  private async pump(
    lines: AsyncIterable<ChatDelta>,
    call: ModelCall,
    buffer: ChunkBuffer<object>,
    signal: AbortSignal,
  ): Promise<void> {
    const chunk = chunksOf(call);
    try {
      await buffer.add(chunk({ role: 'assistant', content: '' }), signal);
      for await (const line of lines) {
        if ('text' in line) await buffer.add(chunk({ content: line.text }), signal);
        else {
          call.answered(line.result);
          await buffer.add(lastChunk(chunk, line.result), signal);
          return buffer.end();
        }
      }
      throw new ScriptHostError('ProviderError', 'the answer of the model ended early');
    } catch (error) {
      buffer.fail(signal.aborted ? new ScriptHostError('AbortError', 'the stream is closed') : call.failed(error));
    }
  }
}

type Chunk = (delta: object, finish_reason?: string) => Record<string, unknown>;

function chunksOf({ model, run }: ModelCall): Chunk {
  const same = {
    id: `chatcmpl-${randomUUID()}`,
    object: 'chat.completion.chunk',
    created: Math.floor(Date.now() / 1000),
  };
  return (delta, finish_reason) => ({
    ...same,
    model,
    choices: [{ index: 0, delta, finish_reason: finish_reason ?? null }],
    session_id: run.session_id,
  });
}

function lastChunk(chunk: Chunk, { model, message, finish_reason, usage, request_id }: ChatResult): object {
  const tool_calls = message.tool_calls?.map((each, index) => ({ index, ...each }));
  return { ...chunk(tool_calls ? { tool_calls } : {}, finish_reason), model, usage, request_id };
}
