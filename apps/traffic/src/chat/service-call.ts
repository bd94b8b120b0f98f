import { lineOf } from '@signalbox/bus';
import { addUsage, type ChatDelta, type ChatResult, NO_USAGE } from '@signalbox/contracts';
import type { ChatCompletion } from '@signalbox/llm';
import { usageOfFailed } from './backends/failed-answer.js';
import type { FirstAnswer } from './backends/fallback.js';
import { failureOf } from './call-failure.js';
import { type ProviderReply, resultOf } from './chat-call.js';
import { type CallFacts, replyOf } from './completion-call.js';
import type { CompletionCalls } from './completion-calls.js';
import type { BackendAnswer, CallOutcome, Prepared } from './finished-call.js';
import type { OpenedStream } from './streams/opened-stream.js';
import { StreamAccumulator } from './streams/stream-accumulator.js';

export class ServiceCall {
  constructor(
    private readonly calls: CompletionCalls,
    private readonly prepared: Prepared,
    private readonly withCompletion: boolean,
  ) {}

  async complete(signal: AbortSignal): Promise<ChatResult> {
    const { answer, facts } = await this.calls.complete(this.prepared, signal);
    return this.result(answer, facts);
  }

  /** Lines of `ChatDelta`; in safe mode the text is held back until it is complete. */
  async *lines(signal: AbortSignal): AsyncGenerator<string> {
    const won = await this.calls.open(this.prepared, signal);
    const assembled = new StreamAccumulator();
    const isSafe = this.prepared.call.safe_mode === true;
    const { by } = won.value;
    let firstTokenMs: number | null = null;
    let failure: CallOutcome['failure'] = null;
    try {
      for await (const chunk of chunksOf(won)) {
        assembled.add(chunk as never);
        if (firstTokenMs === null && assembled.hasToken) firstTokenMs = Date.now() - this.prepared.began;
        // Reasoning may arrive as a list of parts.
        const text: unknown = chunk.choices.find(({ index }) => index === 0)?.delta.content;
        if (typeof text === 'string' && text !== '' && !isSafe) yield lineOf({ text } satisfies ChatDelta);
      }
    } catch (error) {
      failure = failureOf(error, signal);
    } finally {
      won.over();
    }
    const answer = assembled.completion(by.model) as ProviderReply | null;
    const failedUsage = usageOfFailed(won.failed);
    const outcome: CallOutcome = { by, reason: won.reason, answer, failure, firstTokenMs, failedUsage };
    const { answer: given, facts } = await this.calls.conclude(this.prepared, outcome, isSafe, signal);
    const { message } = this.result(given, facts);
    if (isSafe && typeof message.content === 'string') yield lineOf({ text: message.content } satisfies ChatDelta);
    yield lineOf({ result: this.result(given, facts) } satisfies ChatDelta);
  }

  private result(answer: ProviderReply, facts: CallFacts): ChatResult {
    const usage = addUsage(facts.usage, facts.failedUsage ?? NO_USAGE);
    const result = resultOf(facts.requestId, facts.model, answer, usage);
    return this.withCompletion ? { ...result, completion: replyOf(answer as ChatCompletion, facts) } : result;
  }
}

async function* chunksOf({ value }: FirstAnswer<BackendAnswer<OpenedStream>>) {
  yield value.value.first;
  yield* value.value.rest;
}
