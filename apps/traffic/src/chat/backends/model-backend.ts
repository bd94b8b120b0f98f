import type { ChatChunk, ChatCompletion, ChatRequest } from '@signalbox/llm';
import { markFailed, type PushStream, tracing } from '@signalbox/platform';
import type { CompletionBackend, CompletionContext, Parameters } from './completion-backend.js';
import { callContext, type ProviderClients } from '../../providers/index.js';
import type { CallTarget } from '../../call-targets/index.js';
import { modelSpan, noteAnswer, TracedChunks } from './model-span.js';

export class ModelBackend implements CompletionBackend {
  readonly model: string;
  readonly provider: string;
  readonly prices: CallTarget['prices'];

  constructor(
    private readonly target: CallTarget,
    private readonly clients: ProviderClients,
    private readonly limitMs: number | undefined,
  ) {
    this.model = target.model;
    this.provider = target.access.provider_name;
    this.prices = target.prices;
  }

  complete(parameters: Parameters, asking: CompletionContext): Promise<ChatCompletion> {
    const span = tracing ? modelSpan(tracing, this.target, parameters) : undefined;
    if (!tracing || !span) return this.completed(parameters, asking);
    return tracing.runIn(span, async () => {
      const answer = await this.completed(parameters, asking);
      noteAnswer(span, answer);
      return answer;
    });
  }

  stream(parameters: Parameters, asking: CompletionContext): Promise<PushStream<ChatChunk>> {
    const span = tracing ? modelSpan(tracing, this.target, parameters) : undefined;
    if (!tracing || !span) return this.streamed(parameters, asking);
    return tracing.within(span, async () => {
      try {
        return new TracedChunks(await this.streamed(parameters, asking), span);
      } catch (error) {
        markFailed(span, error);
        span.end();
        throw error;
      }
    });
  }

  private async completed(parameters: Parameters, asking: CompletionContext): Promise<ChatCompletion> {
    const client = await this.clients.of(this.target.access, asking.caller);
    return client.complete(this.request(parameters), this.context(asking), asking.written);
  }

  private async streamed(parameters: Parameters, asking: CompletionContext): Promise<PushStream<ChatChunk>> {
    const client = await this.clients.of(this.target.access, asking.caller);
    // Always requested, because the record needs the usage.
    const stream_options = { ...parameters.stream_options, include_usage: true };
    const written = parameters.stream_options ? undefined : asking.written;
    return client.stream(this.request({ ...parameters, stream_options }), this.context(asking), written);
  }

  private request(parameters: Parameters): ChatRequest {
    return { ...parameters, model: this.target.providerModel } as ChatRequest;
  }

  private context({ caller, signal }: CompletionContext) {
    const limit = Math.min(this.target.access.timeout_ms, this.limitMs ?? Infinity);
    return callContext(limit, caller.deadline, signal);
  }
}
