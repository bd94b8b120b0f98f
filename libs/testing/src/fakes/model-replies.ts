export interface ScriptedToolCall {
  name: string;
  /** JSON text, or a value to be encoded. */
  arguments: unknown;
}

export interface ReplyPace {
  /** Before the first byte. */
  latencyMs?: number;
  /** Between two chunks of a stream. */
  chunkDelayMs?: number;
}

export interface AnswerReply extends ReplyPace {
  text?: string;
  toolCalls?: ScriptedToolCall[];
  finishReason?: string;
  /** Ends a stream abruptly after so many chunks, without `[DONE]`. */
  cutAfterChunks?: number;
}

export interface ErrorReply extends ReplyPace {
  error: { status: number; message?: string; type?: string; code?: string | null; retryAfter?: number | string };
}

export interface SilentReply extends ReplyPace {
  hang?: true;
  reset?: true;
}

/** For providers that violate the protocol. */
export interface RawReply extends ReplyPace {
  raw: { status: number; headers: Record<string, string>; body: string | Uint8Array };
}

export type ModelReply = string | AnswerReply | ErrorReply | SilentReply | RawReply;

export interface ModelRequest {
  model: string;
  messages: { role: string; content?: unknown; [key: string]: unknown }[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean } | null;
  n?: number;
  [key: string]: unknown;
}

export function messageText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('');
}

/** Without a script: the last user message. */
export function echoReply(request: ModelRequest): ModelReply {
  const last = request.messages.filter(({ role }) => role === 'user').at(-1);
  return `echo: ${messageText(last?.content)}`;
}
