import {
  type CallContext,
  type ChatChunk,
  type ChatCompletion,
  type ChatProvider,
  type ChatRequest,
  ProviderError,
} from '@signalbox/llm';
import type { PushStream } from '@signalbox/platform';
import { providerDuration } from './provider-metrics.js';

export class MeasuredProvider implements ChatProvider {
  constructor(
    private readonly provider: ChatProvider,
    private readonly kind: string,
  ) {}

  complete(request: ChatRequest, context: CallContext, written?: string): Promise<ChatCompletion> {
    return this.measured('complete', () => this.provider.complete(request, context, written));
  }

  stream(request: ChatRequest, context: CallContext, written?: string): Promise<PushStream<ChatChunk>> {
    return this.measured('stream', () => this.provider.stream(request, context, written));
  }

  models(context: CallContext): Promise<string[]> {
    return this.measured('models', () => this.provider.models(context));
  }

  private async measured<T>(call: string, act: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    let outcome = 'ok';
    try {
      return await act();
    } catch (error) {
      outcome = error instanceof ProviderError ? error.code : 'internal';
      throw error;
    } finally {
      providerDuration.observe({ kind: this.kind, call, outcome }, (performance.now() - begun) / 1000);
    }
  }
}
