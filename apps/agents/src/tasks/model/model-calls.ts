import { Injectable } from '@nestjs/common';
import { BusClient, linesOf, serviceCaller } from '@signalbox/bus';
import { ApiError, type Caller, chat, type ChatCall, type ChatDelta, type ChatResult } from '@signalbox/contracts';
import type { SecretBag } from '@signalbox/egress';
import { abortable, pause } from '@signalbox/runs';
import type { AnswerStream } from '../streaming/answer-stream.js';
import { spokenText } from '../streaming/streamed-text.js';

/** A call lasts at most this long, tries of the provider included. */
const CALL_MS = 150_000;
/** How long a service that is down may take to come back. */
const DOWN_MS = 30_000;
const FIRST_PAUSE_MS = 200;
/** How often an answer may break off in the middle. */
const MAX_INTERRUPTIONS = 2;

/** Where an answer is heard while it is made, and what must not be heard in it. */
export interface Listening {
  speech: AnswerStream;
  secrets?: SecretBag | undefined;
}

/** Calls models through the service that owns them; a restart of that service is waited for. */
@Injectable()
export class ModelCalls {
  constructor(private readonly bus: BusClient) {}

  /** The answer as a whole; a call whose signal aborts is stopped at its provider. */
  complete(companyId: number, call: ChatCall, signal: AbortSignal): Promise<ChatResult> {
    return patiently(companyId, signal, async (caller) => {
      const { body } = await this.bus.forward(chat.endpoints.complete, call, caller, signal);
      return JSON.parse(Buffer.from(body).toString()) as ChatResult;
    });
  }

  /** The same, heard while it is made. */
  speak(companyId: number, call: ChatCall, { speech, secrets }: Listening, signal: AbortSignal): Promise<ChatResult> {
    return patiently(companyId, signal, async (caller) => {
      await speech.begin();
      const { pieces } = await this.bus.stream(chat.endpoints.stream, call, caller, signal);
      const answer = new HeardAnswer(pieces);
      for await (const text of spokenText(answer.texts(), secrets)) speech.say(text);
      return answer.result();
    });
  }
}

/** A streamed answer, its text apart from its end. */
class HeardAnswer {
  private whole: ChatResult | null = null;

  constructor(private readonly pieces: AsyncIterable<Uint8Array | string>) {}

  async *texts(): AsyncGenerator<string> {
    for await (const piece of linesOf<ChatDelta>(this.pieces)) {
      if ('text' in piece) yield piece.text;
      else this.whole = piece.result;
    }
  }

  result(): ChatResult {
    if (this.whole) return this.whole;
    throw new ApiError('unavailable', 'the answer of the model has no end');
  }
}

async function patiently<T>(companyId: number, signal: AbortSignal, ask: (caller: Caller) => Promise<T>): Promise<T> {
  let giveUp: number | undefined;
  let interruptions = 0;
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, 4000)) {
    const caller = serviceCaller(companyId, Date.now() + CALL_MS);
    try {
      return await abortable(ask(caller), signal);
    } catch (error) {
      signal.throwIfAborted();
      giveUp ??= Date.now() + DOWN_MS;
      const again = isDown(error, caller)
        ? Date.now() < giveUp
        : isBroken(error) && ++interruptions <= MAX_INTERRUPTIONS;
      if (!again) throw error;
      await pause(wait * (0.5 + Math.random() / 2), signal);
    }
  }
}

/** The service is away, or has fallen silent in the middle of an answer; a provider that is late has a code. */
function isDown(error: unknown, { deadline }: Caller): boolean {
  if (!(error instanceof ApiError)) return false;
  const silent = error.kind === 'timeout' && error.extras.code === undefined && Date.now() < deadline;
  return error.kind === 'unavailable' || silent;
}

const isBroken = (error: unknown): boolean => error instanceof ApiError && error.extras.code === 'stream_interrupted';
