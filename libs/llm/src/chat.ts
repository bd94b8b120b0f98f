/** A part of a message's content. */
export type ContentPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

/** A function call requested by a model. */
export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

/** One message of a conversation. */
export interface ChatMessage {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  content?: string | null | ContentPart[];
  name?: string;
  tool_calls?: ToolCall[];
  tool_call_id?: string;
}

/** A function a model may call. */
export interface ChatTool {
  type: 'function';
  function: { name: string; description?: string; parameters?: unknown; strict?: boolean | null };
}

/** The requested format of the answer. */
export type ResponseFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | { type: 'json_schema'; json_schema: { name: string; schema: unknown; strict?: boolean | null } };

/** A chat completion request; other keys are forwarded unchanged. */
export interface ChatRequest {
  model: string;
  messages: ChatMessage[];
  n?: number | null;
  stream_options?: { include_usage?: boolean } | null;
  response_format?: ResponseFormat | null;
  tools?: ChatTool[] | null;
  tool_choice?: 'none' | 'auto' | 'required' | { type: 'function'; function: { name: string } } | null;
  [key: string]: unknown;
}

/** Tokens of one call. */
export interface TokenUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  [key: string]: unknown;
}

/** The reason why a model stopped. */
export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

/** One choice of a completion. */
export interface ChatChoice {
  index: number;
  message: { role: 'assistant'; content: string | null; tool_calls?: ToolCall[]; [key: string]: unknown };
  finish_reason: FinishReason | null;
  [key: string]: unknown;
}

/** A complete answer. */
export interface ChatCompletion {
  id: string;
  object: 'chat.completion';
  created: number;
  model: string;
  choices: ChatChoice[];
  usage?: TokenUsage | null;
  system_fingerprint?: string | null;
  [key: string]: unknown;
}

/** A fragment of a tool call in a stream; fragments of one call share their index. */
export interface ToolCallDelta {
  index: number;
  id?: string;
  type?: 'function';
  function?: { name?: string; arguments?: string };
}

/** The delta of one choice in a chunk. */
export interface ChunkChoice {
  index: number;
  delta: { role?: string; content?: string | null; tool_calls?: ToolCallDelta[]; [key: string]: unknown };
  finish_reason: FinishReason | null;
  [key: string]: unknown;
}

/** Key of the JSON text that a chunk was parsed from, for callers that forward it unchanged. */
export const WRITTEN = Symbol('written');

/** A chunk of a streamed answer. */
export interface ChatChunk {
  [WRITTEN]?: string;
  id: string;
  object: 'chat.completion.chunk';
  created: number;
  model: string;
  choices: ChunkChoice[];
  usage?: TokenUsage | null;
  [key: string]: unknown;
}

/** The text of a message, its parts joined. */
export function textOf(content: ChatMessage['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}
