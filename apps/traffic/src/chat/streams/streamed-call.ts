import { toApiError } from '@signalbox/contracts';
import { type ChatChunk, WRITTEN } from '@signalbox/llm';
import { Transform } from '@signalbox/platform';
import { awaitsEvaluation } from '../answer-evaluation.js';
import { StreamAccumulator } from './stream-accumulator.js';
import { type CallFailure, clientDisconnected, failureOf } from '../call-failure.js';
import { type CallFacts, DONE, errorFrame, extrasOf, frame, frameOf } from '../completion-call.js';
import type { CompletionCalls } from '../completion-calls.js';
import type { BackendAnswer, CallOutcome, Prepared } from '../finished-call.js';
import type { OpenedStream } from './opened-stream.js';
import type { FirstAnswer } from '../backends/fallback.js';

/**
 * Each chunk is sent as soon as it arrives; only chunks that may be the last are held back, because the last gets keys
 * of the platform after the record is written. In safe mode an answer is sent only after it is complete, and an
 * interrupted one not at all.
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
    this.chunk(first);
  }

  chunk(chunk: ChatChunk): void {
    try {
      this.show(chunk);
    } catch (error) {
      // The form of the chunk is invalid.
      this.source.stop();
      this.fail(error);
    }
  }

  end(): void {
    if (this.signal.aborted) return this.fail(new Error('the client has disconnected'));
    if (!awaitsEvaluation(this.prepared)) return this.succeed(this.ended(null));
    // Only in safe mode nothing of the answer was sent yet.
    this.calls.evaluated(this.prepared, this.ended(null), this.safe, this.signal).then(
      (ended) => (ended.failure ? this.fail(ended.failure.error) : this.succeed(ended)),
      (error: unknown) => this.fail(error),
    );
  }

  fail(error: unknown): void {
    const failure = failureOf(error, this.signal);
    const held = this.held && !this.safe ? frameOf(this.held) : '';
    this.conclude(this.ended(failure), () => held + errorFrame(toApiError(failure.error)));
  }

  private succeed(ended: CallOutcome): void {
    const correction = ended.evaluation?.correction ?? null;
    this.conclude(ended, (facts) =>
      correction === null ? this.heldBack + this.last(facts) : this.corrected(correction, facts),
    );
  }

  override stop(): void {
    super.stop();
    // A disconnected client cannot receive the error of a missing record.
    if (!this.recorded) this.record(this.ended(clientDisconnected())).catch(() => undefined);
  }

  /** Records first: the last frames contain facts of the record. */
  private conclude(ended: CallOutcome, last: (facts: CallFacts) => string): void {
    if (this.recorded) return;
    this.record(ended).then(
      (facts) => {
        this.push(last(facts));
        this.finish();
      },
      (error: unknown) => {
        // An answer without a record ends with an error frame, without `[DONE]`.
        this.push(errorFrame(toApiError(error)));
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
    else this.push(text);
  }

  /** Forwards the JSON of the provider unchanged where possible. */
  private frameFor(chunk: ChatChunk): string {
    const { [WRITTEN]: written } = chunk;
    const unchanged = chunk.model === this.won.value.by.model && 'usage' in chunk === this.wantsUsage;
    return unchanged && written !== undefined ? frame(written) : frameOf(this.shown(chunk));
  }

  private hear(chunk: ChatChunk): void {
    this.assembled.add(chunk as never);
    if (this.firstTokenMs === null && this.assembled.hasToken) this.firstTokenMs = Date.now() - this.prepared.began;
  }

  private shown({ usage, ...chunk }: ChatChunk): ChatChunk {
    const named = { ...chunk, model: this.won.value.by.model } as ChatChunk;
    return this.wantsUsage ? { ...named, usage: usage ?? null } : named;
  }

  private last(facts: CallFacts): string {
    const { held } = this;
    const usage = held?.usage ? { usage: { ...held.usage, ...facts.usage } } : {};
    const bare = this.assembled.completion(facts.model);
    const empty = { id: bare?.id, object: 'chat.completion.chunk', created: bare?.created, model: facts.model };
    return frameOf({ ...(held ?? { ...empty, choices: [] }), ...usage, ...extrasOf(facts) }) + DONE;
  }

  private corrected(text: string, facts: CallFacts): string {
    const { id, created } = this.assembled.completion(facts.model) ?? {};
    const head = { id, object: 'chat.completion.chunk', created, model: facts.model };
    const choice = (delta: object, finish_reason: string | null) => ({ choices: [{ index: 0, delta, finish_reason }] });
    const usage = this.wantsUsage ? { usage: facts.usage } : {};
    const first = { ...head, ...choice({ role: 'assistant', content: text }, null) };
    return frameOf(first) + frameOf({ ...head, ...choice({}, 'stop'), ...usage, ...extrasOf(facts) }) + DONE;
  }

  private ended(failure: CallFailure | null): CallOutcome {
    const { by } = this.won.value;
    const answer = this.assembled.completion(by.model) as never;
    return { by, reason: this.won.reason, answer, failure, firstTokenMs: this.firstTokenMs };
  }

  private async record(ended: CallOutcome): Promise<CallFacts> {
    this.recorded = true;
    this.won.over();
    return this.calls.record(this.prepared, ended);
  }
}
