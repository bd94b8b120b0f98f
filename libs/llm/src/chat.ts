export type ContentPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export interface ToolCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

export interface ChatMessage {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  content?: string | null | ContentPart[];
  name?: string;
  tool_calls?: ToolCall[];
  tool_call_id?: string;
}

export interface ChatTool {
  type: 'function';
  function: { name: string; description?: string; parameters?: unknown; strict?: boolean | null };
}

export type ResponseFormat =
  | { type: 'text' }
  | { type: 'json_object' }
  | { type: 'json_schema'; json_schema: { name: string; schema: unknown; strict?: boolean | null } };

/** Other keys are forwarded unchanged. */
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

export interface TokenUsage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  [key: string]: unknown;
}

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'function_call';

export interface ChatChoice {
  index: number;
  message: { role: 'assistant'; content: string | null; tool_calls?: ToolCall[]; [key: string]: unknown };
  finish_reason: FinishReason | null;
  [key: string]: unknown;
}

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

/** Fragments of one tool call share their index. */
export interface ToolCallDelta {
  index: number;
  id?: string;
  type?: 'function';
  function?: { name?: string; arguments?: string };
}

export interface ChunkChoice {
  index: number;
  delta: { role?: string; content?: string | null; tool_calls?: ToolCallDelta[]; [key: string]: unknown };
  finish_reason: FinishReason | null;
  [key: string]: unknown;
}

/** Key of the JSON text that a chunk was parsed from, for callers that forward it unchanged. */
export const WRITTEN = Symbol('written');

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

export function textOf(content: ChatMessage['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}
