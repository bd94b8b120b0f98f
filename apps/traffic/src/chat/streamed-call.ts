import { Stage, toApiError } from '@signalbox/contracts';
import { type ChatChunk, WRITTEN } from '@signalbox/llm';
import { AssembledAnswer } from './assembled-answer.js';
import { type CallFailure, disconnected, failureOf } from './call-failure.js';
import { type CallFacts, DONE, errorFrame, extrasOf, frame, frameOf } from './completion-call.js';
import type { CompletionCalls, Given, OpenedStream, Prepared } from './completion-calls.js';
import type { Won } from './fallback.js';

/**
 * The frames of a streamed call. Each piece leaves as soon as it is there; only those that end an answer are held until
 * it is known whether they are the last, which carries what the platform adds. The record is written before it.
 */
export class StreamedCall extends Stage<ChatChunk, string> {
  private readonly assembled = new AssembledAnswer();
  private firstTokenMs: number | null = null;
  private recorded = false;
  private held: ChatChunk | null = null;
  private readonly wantsUsage: boolean;

  constructor(
    private readonly calls: CompletionCalls,
    private readonly prepared: Prepared,
    private readonly won: Won<Given<OpenedStream>>,
    private readonly signal: AbortSignal,
  ) {
    const { first, rest } = won.value.value;
    super(rest);
    this.wantsUsage = prepared.call.stream_options?.include_usage === true;
    this.part(first);
  }

  part(chunk: ChatChunk): void {
    try {
      this.show(chunk);
    } catch (error) {
      // Something that only looks like a piece of an answer.
      this.source.stop();
      this.fail(error);
    }
  }

  end(): void {
    if (this.recorded) return;
    if (this.signal.aborted) return this.fail(new Error('the client has left'));
    const { held } = this;
    this.record(null).then(
      (facts) => {
        this.give(this.last(held, facts));
        this.finish();
      },
      (error: unknown) => this.breakOff(error),
    );
  }

  fail(error: unknown): void {
    if (this.recorded) return;
    const { held } = this;
    const failure = failureOf(error, this.signal);
    this.record(failure).then(
      () => {
        this.give((held ? frameOf(held) : '') + errorFrame(toApiError(failure.error)));
        this.finish();
      },
      (error: unknown) => this.breakOff(error),
    );
  }

  /** Nobody asks for the rest any more. */
  override stop(): void {
    super.stop();
    // Nobody is left who could be told that there is no record.
    if (!this.recorded) this.record(disconnected()).catch(() => undefined);
  }

  private show(chunk: ChatChunk): void {
    this.hear(chunk);
    const { choices } = chunk;
    if (choices.length > 0 && !choices.some(({ finish_reason }) => finish_reason)) return this.pass(chunk);
    const shown = this.shown(chunk);
    if (!shown) return;
    this.release();
    this.held = shown;
  }

  private pass(chunk: ChatChunk): void {
    this.release();
    const { [WRITTEN]: written } = chunk;
    const unchanged = chunk.model === this.won.value.by.model && 'usage' in chunk === this.wantsUsage;
    this.give(unchanged && written !== undefined ? frame(written) : frameOf(this.shown(chunk) ?? chunk));
  }

  /** What was held is not the end after all. */
  private release(): void {
    if (this.held) this.give(frameOf(this.held));
    this.held = null;
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

  /** The end of the answer, with what the platform adds. */
  private last(held: ChatChunk | null, facts: CallFacts): string {
    const usage = held?.usage ? { usage: { ...held.usage, ...facts.usage } } : {};
    const bare = this.assembled.completion(facts.model);
    const empty = { id: bare?.id, object: 'chat.completion.chunk', created: bare?.created, model: facts.model };
    return frameOf({ ...(held ?? { ...empty, choices: [] }), ...usage, ...extrasOf(facts) }) + DONE;
  }

  private async record(failure: CallFailure | null): Promise<CallFacts> {
    this.recorded = true;
    this.won.over();
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
