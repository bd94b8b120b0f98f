/** A function call a scripted model asks for. */
export interface ScriptedToolCall {
  name: string;
  /** JSON text, or a value to be encoded. */
  arguments: unknown;
}

/** Delays that apply to any kind of reply. */
export interface ReplyPace {
  /** Before the first byte. */
  latencyMs?: number;
  /** Between two chunks of a stream. */
  chunkDelayMs?: number;
}

/** A model that answers. */
export interface AnswerReply extends ReplyPace {
  text?: string;
  toolCalls?: ScriptedToolCall[];
  finishReason?: string;
  /** Ends a stream abruptly after so many chunks, without `[DONE]`. */
  cutAfterChunks?: number;
}

/** A provider that refuses or fails, in OpenAI's words. */
export interface ErrorReply extends ReplyPace {
  error: { status: number; message?: string; type?: string; code?: string | null; retryAfter?: number | string };
}

/** A provider that never answers, or tears the connection down. */
export interface SilentReply extends ReplyPace {
  hang?: true;
  reset?: true;
}

/** Bytes as given, for providers that do not keep to the protocol. */
export interface RawReply extends ReplyPace {
  raw: { status: number; headers: Record<string, string>; body: string | Uint8Array };
}

/** What a scripted model does with one request; a string is a plain answer. */
export type ModelReply = string | AnswerReply | ErrorReply | SilentReply | RawReply;

/** The parts of a chat request that scripts look at. */
export interface ModelRequest {
  model: string;
  messages: { role: string; content?: unknown; [key: string]: unknown }[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean } | null;
  n?: number;
  [key: string]: unknown;
}

/** The text of a message, be its content a string or parts. */
export function messageText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('');
}

/** What an unscripted model says: the last user message again. */
export function echoReply(request: ModelRequest): ModelReply {
  const last = request.messages.filter(({ role }) => role === 'user').at(-1);
  return `echo: ${messageText(last?.content)}`;
}
