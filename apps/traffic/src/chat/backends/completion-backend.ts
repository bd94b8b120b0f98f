import type { Caller } from '@signalbox/contracts';
import type { AnsweredBy } from '../../request-records/index.js';
import type { ProviderReply } from '../chat-call.js';
import type { ChatChunk, ChatCompletion, ChatRequest, TokenPrices } from '@signalbox/llm';
import type { PushStream } from '@signalbox/platform';

export type Parameters = Pick<ChatRequest, 'messages' | 'stream_options' | 'response_format'> & Record<string, unknown>;

export interface CompletionContext {
  caller: Caller;
  signal: AbortSignal;
  written?: string;
}

/** A model of a provider, an agent or a workflow. */
export interface CompletionBackend {
  model: string;
  provider: string;
  prices: TokenPrices;
  /** The task or run that produced an answer; its model calls are recorded and counted separately. */
  answeredBy?(answer: ProviderReply | null): AnsweredBy | null;
  complete(parameters: Parameters, asking: CompletionContext): Promise<ChatCompletion>;
  stream(parameters: Parameters, asking: CompletionContext): Promise<PushStream<ChatChunk>>;
}
