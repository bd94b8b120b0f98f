import { Transform, toApiError } from '@signalbox/contracts';
import { type ChatChunk, WRITTEN } from '@signalbox/llm';
import { StreamAccumulator } from './stream-accumulator.js';
import { type CallFailure, clientDisconnected, failureOf } from './call-failure.js';
import { type CallFacts, DONE, errorFrame, extrasOf, frame, frameOf } from './completion-call.js';
import type { CompletionCalls, BackendAnswer, Prepared } from './completion-calls.js';
import type { OpenedStream } from './opened-stream.js';
import type { FirstAnswer } from './backends/fallback.js';

/**
 * The frames of a streamed call. Each piece leaves as soon as it is there; only those that end an answer are held until
 * it is known whether they are the last, which carries what the platform adds. The record is written before it. In safe
 * mode nothing of an answer leaves before all of it is there, and nothing of one that breaks off.
 */
export class StreamedCall extends Transform<ChatChunk, string> {
  private readonly assembled = new StreamAccumulator();
  private firstTokenMs: number | null = null;
  private recorded = false;
  private held: ChatChunk | null = null;
  private heldBack = '';
  private readonly wantsUsage: boolean;
  private readonly safe: boolean;

  constructor(
    private readonly calls: CompletionCalls,
    private readonly prepared: Prepared,
    private readonly won: FirstAnswer<BackendAnswer<OpenedStream>>,
    private readonly signal: AbortSignal,
  ) {
    const { first, rest } = won.value.value;
    super(rest);
    this.wantsUsage = prepared.call.stream_options?.include_usage === true;
    this.safe = prepared.call.safe_mode === true;
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
    if (this.signal.aborted) return this.fail(new Error('the client has left'));
    this.conclude(null, (facts) => this.heldBack + this.last(facts));
  }

  fail(error: unknown): void {
    const failure = failureOf(error, this.signal);
    const held = this.held && !this.safe ? frameOf(this.held) : '';
    this.conclude(failure, () => held + errorFrame(toApiError(failure.error)));
  }

  /** Nobody asks for the rest any more. */
  override stop(): void {
    super.stop();
    // Nobody is left who could be told that there is no record.
    if (!this.recorded) this.record(clientDisconnected()).catch(() => undefined);
  }

  /** Records how the call ended, then says the last of it. */
  private conclude(failure: CallFailure | null, last: (facts: CallFacts) => string): void {
    if (this.recorded) return;
    this.record(failure).then(
      (facts) => {
        this.give(last(facts));
        this.finish();
      },
      (error: unknown) => {
        // Without its record an answer has no end: an error frame, and no `[DONE]`.
        this.give(errorFrame(toApiError(error)));
        this.finish();
      },
    );
  }

  private show(chunk: ChatChunk): void {
    this.hear(chunk);
    const { choices, usage } = chunk;
    if (usage && choices.length === 0 && !this.wantsUsage) return;
    if (this.held) this.say(frameOf(this.held));
    const ending = choices.length === 0 || choices.some(({ finish_reason }) => finish_reason);
    this.held = ending ? this.shown(chunk) : null;
    if (!ending) this.say(this.frameFor(chunk));
  }

  private say(text: string): void {
    if (this.safe) this.heldBack += text;
    else this.give(text);
  }

  /** As the provider has written it, where the client may see that. */
  private frameFor(chunk: ChatChunk): string {
    const { [WRITTEN]: written } = chunk;
    const unchanged = chunk.model === this.won.value.by.model && 'usage' in chunk === this.wantsUsage;
    return unchanged && written !== undefined ? frame(written) : frameOf(this.shown(chunk));
  }

  private hear(chunk: ChatChunk): void {
    this.assembled.add(chunk as never);
    if (this.firstTokenMs === null && this.assembled.hasToken) this.firstTokenMs = Date.now() - this.prepared.began;
  }

  /** A piece as the client sees it: under our name of the model, with usage only where it was asked for. */
  private shown({ usage, ...chunk }: ChatChunk): ChatChunk {
    const named = { ...chunk, model: this.won.value.by.model } as ChatChunk;
    return this.wantsUsage ? { ...named, usage: usage ?? null } : named;
  }

  /** The end of the answer, with what the platform adds. */
  private last(facts: CallFacts): string {
    const { held } = this;
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
