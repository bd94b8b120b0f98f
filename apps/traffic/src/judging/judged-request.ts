import { contentText } from '@signalbox/conditions';
import type { IncludeOptions } from '@signalbox/contracts';

export interface JudgedCall {
  params: Record<string, unknown>;
  /** A completion, a message or a text. */
  response: unknown;
}

interface JudgedMessage {
  role?: unknown;
  content?: unknown;
  tool_calls?: unknown;
}

export interface JudgedParts {
  system_prompt?: unknown[];
  context?: unknown[];
  input?: unknown[];
  tools?: unknown;
  response_format?: unknown;
  response: unknown;
}

const SYSTEM_ROLES: readonly unknown[] = ['system', 'developer'];

export function judgedParts({ params, response }: JudgedCall, include: IncludeOptions): JudgedParts {
  const all = Array.isArray(params.messages) ? (params.messages as JudgedMessage[]) : [];
  const system = all.filter(({ role }) => SYSTEM_ROLES.includes(role));
  const said = all.filter(({ role }) => !SYSTEM_ROLES.includes(role));
  const last = said.findLastIndex(({ role }) => role === 'user');
  const from = last === -1 ? said.length : last;
  const shown = (messages: JudgedMessage[]) => (include.tool_calls ? messages : messages.flatMap(withoutTools));
  return {
    ...(include.system_prompt && system.length > 0 ? { system_prompt: system } : {}),
    ...(include.context && from > 0 ? { context: shown(said.slice(0, from)) } : {}),
    ...(include.input && from < said.length ? { input: shown(said.slice(from)) } : {}),
    ...(include.tool_calls && params.tools != null ? { tools: params.tools } : {}),
    ...(include.json_schema && params.response_format != null ? { response_format: params.response_format } : {}),
    response: answersOf(response).map((answer) => (include.tool_calls ? answer : withoutCalls(answer))),
  };
}

export function answersOf(response: unknown): unknown[] {
  if (typeof response === 'string') return [{ role: 'assistant', content: response }];
  const { choices } = (response ?? {}) as { choices?: unknown };
  return Array.isArray(choices)
    ? choices.map((choice: { message?: unknown } | null) => choice?.message ?? null)
    : [response];
}

function withoutTools(message: JudgedMessage): JudgedMessage[] {
  return message.role === 'tool' ? [] : [withoutCalls(message) as JudgedMessage];
}

function withoutCalls(message: unknown): unknown {
  if (typeof message !== 'object' || message === null) return message;
  const { tool_calls: _calls, ...rest } = message as JudgedMessage;
  return rest;
}

export function textOfCall({ params, response }: JudgedCall): string {
  const messages = [...(Array.isArray(params.messages) ? (params.messages as unknown[]) : []), ...answersOf(response)];
  return messages
    .map((message) => contentText((message as JudgedMessage | null)?.content))
    .filter((text) => text !== '')
    .join('\n');
}
