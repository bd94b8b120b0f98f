import type { ChatCall, ChatResult, Message, Usage } from '@signalbox/contracts';

/** The parts of a provider's completion from which a result is built. */
export interface Answered {
  id?: string;
  choices: { message: { content?: unknown; tool_calls?: unknown }; finish_reason?: string | null }[];
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown; total_tokens?: unknown; cost?: unknown } | null;
}

const PARAMETERS = ['messages', 'tools', 'tool_choice', 'temperature', 'max_tokens', 'response_format'] as const;

/** The parameters that are sent to the provider: those that were given. */
export function parametersOf(call: ChatCall) {
  const given = PARAMETERS.filter((name) => call[name] !== undefined && call[name] !== null);
  return { ...call.parameters, ...Object.fromEntries(given.map((name) => [name, call[name]])) };
}

const count = (value: unknown): number => (Number.isSafeInteger(value) && (value as number) >= 0 ? Number(value) : 0);

/** Tokens as counted by the provider; missing counts are 0. */
export function usageOf(answer: Answered | null, cost: number | null): Usage {
  const prompt_tokens = count(answer?.usage?.prompt_tokens);
  const completion_tokens = count(answer?.usage?.completion_tokens);
  const total_tokens = count(answer?.usage?.total_tokens) || prompt_tokens + completion_tokens;
  return { prompt_tokens, completion_tokens, total_tokens, cost };
}

/** The first choice of a completion as a message of the platform. */
export function messageOf({ choices: [choice] }: Answered): Message {
  const { content, tool_calls: calls } = choice?.message ?? {};
  const text = typeof content === 'string' ? content : null;
  const asked = Array.isArray(calls) ? calls.map(toolCallOf).filter((call) => call !== null) : [];
  return { role: 'assistant', content: text, ...(asked.length > 0 ? { tool_calls: asked } : {}) };
}

function toolCallOf(given: unknown) {
  const { id, function: called } = (given ?? {}) as {
    id?: unknown;
    function?: { name?: unknown; arguments?: unknown };
  };
  if (typeof id !== 'string' || typeof called?.name !== 'string') return null;
  const { arguments: args } = called;
  const text = typeof args === 'string' ? args : JSON.stringify(args ?? {});
  return { id, type: 'function' as const, function: { name: called.name, arguments: text } };
}

/** The result of `chat.complete`. */
export function resultOf(requestId: string, model: string, answer: Answered, usage: Usage): ChatResult {
  const finish_reason = answer.choices[0]?.finish_reason ?? 'stop';
  return { request_id: requestId, model, message: messageOf(answer), finish_reason, usage };
}
