import { toApiError } from '@signalbox/contracts';
import type { ChatChunk } from '@signalbox/llm';
import { AssembledAnswer } from './assembled-answer.js';
import { type CallFailure, disconnected, failureOf } from './call-failure.js';
import { DONE, errorFrame, extrasOf, frameOf } from './completion-call.js';
import type { CompletionCalls, Given, OpenedStream, Prepared } from './completion-calls.js';
import type { Won } from './fallback.js';

/**
 * The frames of a streamed call. Each piece leaves as soon as it is there; only those that end an answer are held until
 * it is known whether they are the last, which carries what the platform adds. The record is written before it.
 */
export class StreamedCall {
  private readonly assembled = new AssembledAnswer();
  private firstTokenMs: number | null = null;
  private recorded = false;
  private readonly wantsUsage: boolean;

  constructor(
    private readonly calls: CompletionCalls,
    private readonly prepared: Prepared,
    private readonly won: Won<Given<OpenedStream>>,
    private readonly signal: AbortSignal,
  ) {
    this.wantsUsage = prepared.call.stream_options?.include_usage === true;
  }

  async *frames(): AsyncGenerator<string> {
    const { first, rest } = this.won.value.value;
    let held: ChatChunk | null = null;
    try {
      for (let next: IteratorResult<ChatChunk> = { value: first }; !next.done; next = await rest.next()) {
        this.hear(next.value);
        const shown = this.shown(next.value);
        if (!shown) continue;
        if (held) yield frameOf(held);
        const ending = shown.choices.length === 0 || shown.choices.some(({ finish_reason }) => finish_reason);
        held = ending ? shown : null;
        if (!ending) yield frameOf(shown);
      }
      yield await this.last(held);
    } catch (error) {
      if (this.recorded) throw error;
      const { error: told } = await this.failed(failureOf(error, this.signal));
      yield (held ? frameOf(held) : '') + errorFrame(toApiError(told));
    } finally {
      this.won.over();
      // Nobody asks for the rest any more.
      if (!this.recorded) await this.failed(disconnected());
    }
  }

  private hear(chunk: ChatChunk): void {
    this.assembled.add(chunk as never);
    if (this.firstTokenMs === null && this.assembled.hasToken) this.firstTokenMs = Date.now() - this.prepared.began;
  }

  /** A piece as the client sees it: under our name of the model, with usage only where it was asked for. */
  private shown({ usage, ...chunk }: ChatChunk): ChatChunk | null {
    const named = { ...chunk, model: this.won.value.by.model } as ChatChunk;
    if (this.wantsUsage) return { ...named, usage: usage ?? null };
    return usage && chunk.choices.length === 0 ? null : named;
  }

  private async last(held: ChatChunk | null): Promise<string> {
    if (this.signal.aborted) throw new Error('the client has left');
    const facts = await this.record(null);
    const usage = held?.usage ? { usage: { ...held.usage, ...facts.usage } } : {};
    const bare = this.assembled.completion(facts.model);
    const empty = { id: bare?.id, object: 'chat.completion.chunk', created: bare?.created, model: facts.model };
    return frameOf({ ...(held ?? { ...empty, choices: [] }), ...usage, ...extrasOf(facts) }) + DONE;
  }

  private async failed(failure: CallFailure): Promise<CallFailure> {
    await this.record(failure);
    return failure;
  }

  private record(failure: CallFailure | null) {
    this.recorded = true;
    const { by } = this.won.value;
    const answer = this.assembled.completion(by.model) as never;
    return this.calls.record(this.prepared, {
      by,
      reason: this.won.reason,
      answer,
      failure,
      firstTokenMs: this.firstTokenMs,
    });
  }
}
