import { Injectable } from '@nestjs/common';
import { BusClient, linesOf } from '@signalbox/bus';
import { ApiError, chat, type ChatCall, type ChatDelta, type ChatResult, executedRelease } from '@signalbox/contracts';
import type { SecretBag } from '@signalbox/egress';
import { retriedCall } from '@signalbox/runs';
import type { AnswerStream } from './answer-stream.js';
import { redactedText } from './redacted-text.js';

export type CallAttribution = Pick<ChatCall, 'request_type' | 'origin' | 'origin_id' | 'agent_id' | 'release'>;

/** Action tests and routing tests: never production traffic, and without a task. */
export const TEST_ATTRIBUTION: CallAttribution = { request_type: 'SYNTHETIC', origin: 'TEST' };

interface CallingTask {
  id: string;
  agent_id: number;
  release: string | null;
  root_trigger: string;
}

/** Sub-agents count as the task above them. */
export const taskAttribution = ({ id, agent_id, release, root_trigger }: CallingTask): CallAttribution => ({
  request_type: root_trigger === 'TEST' || root_trigger === 'MONITOR' ? 'SYNTHETIC' : 'PROD',
  origin: 'AGENT',
  origin_id: id,
  agent_id,
  ...executedRelease('agent', agent_id, release),
});

export interface StreamOptions {
  stream: AnswerStream;
  secrets?: SecretBag | undefined;
}

/** Retries while the traffic service restarts. */
@Injectable()
export class ModelCalls {
  constructor(private readonly bus: BusClient) {}

  /** An aborted call is cancelled at its provider. */
  complete(companyId: number, call: ChatCall, signal: AbortSignal): Promise<ChatResult> {
    return retriedCall(companyId, signal, async (caller) => {
      const { body } = await this.bus.forward(chat.endpoints.complete, call, caller, signal);
      return JSON.parse(Buffer.from(body).toString()) as ChatResult;
    });
  }

  /** Resolves to the complete answer; its text is streamed while it is generated. */
  stream(
    companyId: number,
    call: ChatCall,
    { stream, secrets }: StreamOptions,
    signal: AbortSignal,
  ): Promise<ChatResult> {
    return retriedCall(companyId, signal, async (caller) => {
      await stream.begin();
      const { chunks } = await this.bus.stream(chat.endpoints.stream, call, caller, signal);
      const answer = new StreamedAnswer(chunks);
      for await (const text of redactedText(answer.texts(), secrets)) stream.append(text);
      return answer.result();
    });
  }
}

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
