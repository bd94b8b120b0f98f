import { Injectable } from '@nestjs/common';
import { BusClient, linesOf, serviceCaller } from '@signalbox/bus';
import { ApiError, type Caller, chat, type ChatCall, type ChatDelta, type ChatResult } from '@signalbox/contracts';
import type { SecretBag } from '@signalbox/egress';
import { abortable, pause } from '@signalbox/runs';
import type { AnswerStream } from '../streaming/answer-stream.js';
import { redactedText } from '../streaming/redacted-text.js';

/** Deadline of a call, including the retries of the provider. */
const CALL_MS = 150_000;
/** How long a call is retried while the service is down. */
const DOWN_MS = 30_000;
const FIRST_PAUSE_MS = 200;
/** How often a stream may be interrupted. */
const MAX_INTERRUPTIONS = 2;

/** The stream of an answer, and the secrets that are redacted in it. */
export interface StreamOptions {
  stream: AnswerStream;
  secrets?: SecretBag | undefined;
}

/** Calls models through the traffic service; calls are retried while that service restarts. */
@Injectable()
export class ModelCalls {
  constructor(private readonly bus: BusClient) {}

  /** Returns the complete answer; an aborted call is cancelled at its provider. */
  complete(companyId: number, call: ChatCall, signal: AbortSignal): Promise<ChatResult> {
    return withRetries(companyId, signal, async (caller) => {
      const { body } = await this.bus.forward(chat.endpoints.complete, call, caller, signal);
      return JSON.parse(Buffer.from(body).toString()) as ChatResult;
    });
  }

  /** Returns the complete answer and streams its text while it is generated. */
  stream(
    companyId: number,
    call: ChatCall,
    { stream, secrets }: StreamOptions,
    signal: AbortSignal,
  ): Promise<ChatResult> {
    return withRetries(companyId, signal, async (caller) => {
      await stream.begin();
      const { chunks } = await this.bus.stream(chat.endpoints.stream, call, caller, signal);
      const answer = new StreamedAnswer(chunks);
      for await (const text of redactedText(answer.texts(), secrets)) stream.append(text);
      return answer.result();
    });
  }
}

/** A streamed answer: its text, and its result at the end. */
class StreamedAnswer {
  private completed: ChatResult | null = null;

  constructor(private readonly chunks: AsyncIterable<Uint8Array | string>) {}

  async *texts(): AsyncGenerator<string> {
    for await (const chunk of linesOf<ChatDelta>(this.chunks)) {
      if ('text' in chunk) yield chunk.text;
      else this.completed = chunk.result;
    }
  }

  result(): ChatResult {
    if (this.completed) return this.completed;
    throw new ApiError('unavailable', 'the answer of the model is incomplete: its stream has no end');
  }
}

async function withRetries<T>(
  companyId: number,
  signal: AbortSignal,
  call: (caller: Caller) => Promise<T>,
): Promise<T> {
  let retryUntil: number | undefined;
  let interruptions = 0;
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, 4000)) {
    const caller = serviceCaller(companyId, Date.now() + CALL_MS);
    try {
      return await abortable(call(caller), signal);
    } catch (error) {
      signal.throwIfAborted();
      retryUntil ??= Date.now() + DOWN_MS;
      const again = isDown(error, caller)
        ? Date.now() < retryUntil
        : isInterrupted(error) && ++interruptions <= MAX_INTERRUPTIONS;
      if (!again) throw error;
      await pause(wait * (0.5 + Math.random() / 2), signal);
    }
  }
}

/** True when the service is down or stops in the middle of an answer; the time-out of a provider has a code. */
function isDown(error: unknown, { deadline }: Caller): boolean {
  if (!(error instanceof ApiError)) return false;
  const isStalled = error.kind === 'timeout' && error.extras.code === undefined && Date.now() < deadline;
  return error.kind === 'unavailable' || isStalled;
}

const isInterrupted = (error: unknown): boolean =>
  error instanceof ApiError && error.extras.code === 'stream_interrupted';
