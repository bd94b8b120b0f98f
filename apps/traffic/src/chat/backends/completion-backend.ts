import type { Caller } from '@signalbox/contracts';
import type { AnsweredBy } from '../../request-records/index.js';
import type { ProviderReply } from '../chat-call.js';
import type { ChatChunk, ChatCompletion, ChatRequest, TokenPrices } from '@signalbox/llm';
import type { PushStream } from '@signalbox/platform';

/** The parameters of a call, without its model. */
export type Parameters = Pick<ChatRequest, 'messages' | 'stream_options' | 'response_format'> & Record<string, unknown>;

/** The caller of a completion, its deadline and its signal. */
export interface CompletionContext {
  caller: Caller;
  signal: AbortSignal;
  /** The parameters as JSON, when they are serialised already. */
  written?: string;
}

/** A backend of completions: a model of a provider, or an agent. */
export interface CompletionBackend {
  /** Its name in the record and in the reply. */
  model: string;
  provider: string;
  prices: TokenPrices;
  /** The task or run that produced an answer; its model calls are recorded and counted separately. */
  answeredBy?(answer: ProviderReply | null): AnsweredBy | null;
  complete(parameters: Parameters, asking: CompletionContext): Promise<ChatCompletion>;
  stream(parameters: Parameters, asking: CompletionContext): Promise<PushStream<ChatChunk>>;
}
