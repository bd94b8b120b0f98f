import type { Caller, PushStream } from '@signalbox/contracts';
import type { AnsweredBy } from '../../requests/request-record.js';
import type { Answered } from '../chat-call.js';
import type { ChatChunk, ChatCompletion, ChatRequest, TokenPrices } from '@signalbox/llm';

/** The parameters of a call, without its model. */
export type Parameters = Pick<ChatRequest, 'messages' | 'stream_options' | 'response_format'> & Record<string, unknown>;

/** On whose behalf an answer is asked for, and until when anybody waits for it. */
export interface CompletionContext {
  caller: Caller;
  signal: AbortSignal;
  /** The parameters as JSON, when they have been written already. */
  written?: string;
}

/** Whatever can answer a call: a model of a provider, or an agent. */
export interface CompletionBackend {
  /** Its name for the record and in the reply. */
  model: string;
  provider: string;
  prices: TokenPrices;
  /** The task or run that gave an answer; its own calls are recorded and counted as its own. */
  answeredBy?(answer: Answered | null): AnsweredBy | null;
  complete(parameters: Parameters, asking: CompletionContext): Promise<ChatCompletion>;
  stream(parameters: Parameters, asking: CompletionContext): Promise<PushStream<ChatChunk>>;
}
