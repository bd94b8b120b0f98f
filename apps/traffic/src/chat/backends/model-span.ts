import type { ChatChunk, TokenUsage } from '@signalbox/llm';
import {
  markFailed,
  type PushStream,
  type Span,
  type SpanAttributes,
  type Tracing,
  Transform,
} from '@signalbox/platform';
import type { CallTarget } from '../../call-targets/index.js';
import type { Parameters } from './completion-backend.js';

interface Outcome {
  model?: unknown;
  choices?: readonly { finish_reason?: unknown }[];
  usage?: TokenUsage | null;
}

const number = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/**
 * Attributes are those of the OpenTelemetry conventions for generative AI; undefined outside of a trace. Prompts,
 * answers, tools and metadata stay out.
 */
export function modelSpan(tracing: Tracing, target: CallTarget, parameters: Parameters): Span | undefined {
  return tracing.startChild(`chat ${target.providerModel}`, {
    kind: 'client',
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': target.access.provider_name,
      'gen_ai.request.model': target.providerModel,
      'gen_ai.request.max_tokens': number(parameters.max_tokens),
      'gen_ai.request.temperature': number(parameters.temperature),
      'gen_ai.request.top_p': number(parameters.top_p),
      'signalbox.model': target.model,
    },
  });
}

export function noteAnswer(span: Span, { model, choices = [], usage }: Outcome): void {
  const reasons = choices.map(({ finish_reason }) => finish_reason).filter((each) => typeof each === 'string');
  const attributes: SpanAttributes = {
    'gen_ai.response.model': typeof model === 'string' ? model.slice(0, 200) : null,
    'gen_ai.response.finish_reasons': reasons.length > 0 ? reasons : null,
    'gen_ai.usage.input_tokens': number(usage?.prompt_tokens),
    'gen_ai.usage.output_tokens': number(usage?.completion_tokens),
  };
  for (const [name, value] of Object.entries(attributes)) if (value != null) span.setAttribute(name, value);
}

/** Passes the chunks on unchanged; their end is that of the span. */
export class TracedChunks extends Transform<ChatChunk, ChatChunk> {
  private readonly reasons: { finish_reason: unknown }[] = [];
  private usage: TokenUsage | null = null;
  private model: unknown;

  constructor(
    chunks: PushStream<ChatChunk>,
    private readonly span: Span,
  ) {
    super(chunks);
  }

  chunk(chunk: ChatChunk): void {
    this.model ??= chunk.model;
    this.usage = chunk.usage ?? this.usage;
    for (const { finish_reason } of chunk.choices) if (finish_reason) this.reasons.push({ finish_reason });
    this.push(chunk);
  }

  end(): void {
    this.note();
    this.finish();
  }

  fail(error: unknown): void {
    markFailed(this.span, error);
    this.note();
    this.destroy(error);
  }

  override stop(): void {
    super.stop();
    this.note();
  }

  private note(): void {
    // A span that has ended ignores further attributes.
    if (!this.span.isRecording()) return;
    noteAnswer(this.span, { model: this.model, choices: this.reasons, usage: this.usage });
    this.span.end();
  }
}
