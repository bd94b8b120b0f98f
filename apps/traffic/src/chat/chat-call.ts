import type { ChatCall, ChatResult, CompletionCall, Message, RequestOrigin, Usage } from '@signalbox/contracts';

export interface ProviderReply {
  id?: string;
  choices: { message: { content?: unknown; tool_calls?: unknown }; finish_reason?: string | null }[];
  usage?: { prompt_tokens?: unknown; completion_tokens?: unknown; total_tokens?: unknown; cost?: unknown } | null;
}

/** Without the session, which is that of the other service. */
export const completionCallOf = ({ parameters, ...call }: ChatCall): CompletionCall => ({
  ...parameters,
  messages: call.messages,
  model: call.model ?? null,
  ...(call.tools === undefined ? {} : { tools: call.tools as CompletionCall['tools'] & object }),
  ...(call.tool_choice === undefined ? {} : { tool_choice: call.tool_choice }),
  ...(call.temperature === undefined ? {} : { temperature: call.temperature }),
  ...(call.max_tokens === undefined ? {} : { max_tokens: call.max_tokens }),
  ...(call.response_format ? { response_format: call.response_format } : {}),
  metadata: call.metadata,
  reference_id: call.reference_id ?? null,
  evaluation_enabled: call.evaluation_enabled ?? null,
  apply_corrections: call.apply_corrections ?? null,
  safe_mode: call.safe_mode ?? null,
  fallback_config: call.fallback_config ?? null,
  return_evaluation: call.return_evaluation ?? false,
  ...(call.input === undefined ? {} : { input: call.input }),
  ...(call.secrets ? { secrets: call.secrets } : {}),
});

/** What made a call that did not come from a client. */
export interface CallOrigin {
  origin: RequestOrigin;
  originId: string | null;
  agentId: number | null;
  workflowId: number | null;
  release: string | null;
}

export const originOf = (call: ChatCall): CallOrigin => ({
  origin: call.origin ?? 'AGENT',
  originId: call.origin_id ?? taskOf(call),
  agentId: call.agent_id ?? null,
  workflowId: call.workflow_id ?? null,
  release: call.release ?? null,
});

/** Callers of earlier releases give it in the metadata only. */
const taskOf = ({ metadata: { task_id: id } }: ChatCall): string | null => (typeof id === 'string' ? id : null);

/** More than any answer takes; sums over all requests of a company stay within a bigint. */
const MAX_TOKENS = 1e12;

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_TOKENS;
const count = (value: unknown): number => (isCount(value) ? value : 0);

/** Counts that the provider leaves out, and impossible ones, are 0. */
export function usageOf(answer: ProviderReply | null, cost: number | null): Usage {
  const prompt_tokens = count(answer?.usage?.prompt_tokens);
  const completion_tokens = count(answer?.usage?.completion_tokens);
  const total_tokens = count(answer?.usage?.total_tokens) || prompt_tokens + completion_tokens;
  return { prompt_tokens, completion_tokens, total_tokens, cost };
}

export function messageOf({ choices: [choice] }: ProviderReply, requestId: string): Message {
  const { content, tool_calls: calls } = choice?.message ?? {};
  const text = Array.isArray(content) ? content.map(textOfPart).join('') : typeof content === 'string' ? content : null;
  const asked = Array.isArray(calls)
    ? calls.flatMap((call, index) => toolCallOf(call, `call_${requestId}_${index}`) ?? [])
    : [];
  return { role: 'assistant', content: text, ...(asked.length > 0 ? { tool_calls: asked } : {}) };
}

/** Empty for the reasoning of a model that answers in parts. */
function textOfPart(part: unknown): string {
  const { type, text } = (part ?? {}) as { type?: unknown; text?: unknown };
  return type === 'text' && typeof text === 'string' ? text : '';
}

/** A call without an id, or with one that messages cannot have, gets `ownId`: its result has to name it. */
function toolCallOf(given: unknown, ownId: string) {
  const { id, function: called } = (given ?? {}) as {
    id?: unknown;
    function?: { name?: unknown; arguments?: unknown };
  };
  if (typeof called?.name !== 'string') return null;
  const { arguments: args } = called;
  const text = typeof args === 'string' ? args : JSON.stringify(args ?? {});
  const isId = typeof id === 'string' && id !== '' && id.length <= 200;
  return { id: isId ? id : ownId, type: 'function' as const, function: { name: called.name, arguments: text } };
}

export function resultOf(requestId: string, model: string, answer: ProviderReply, usage: Usage): ChatResult {
  const finish_reason = answer.choices[0]?.finish_reason ?? 'stop';
  return { request_id: requestId, model, message: messageOf(answer, requestId), finish_reason, usage };
}
