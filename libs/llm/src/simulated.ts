import { randomUUID } from 'node:crypto';
import { pushStreamOf } from '@signalbox/platform';
import {
  textOf,
  type ChatChunk,
  type ChatCompletion,
  type ChatRequest,
  type ChatTool,
  type TokenUsage,
} from './chat.js';
import { ProviderError, type CallContext, type ChatProvider } from './provider.js';
import { failed } from './failures.js';
import { smallestInstance } from './smallest-instance.js';

export const SIMULATED_MODEL = 'simulated-echo';

const CHUNKS = 8;
const SHORTEST_CHUNK = 4;

/** Needs no key and no network; equal answers for equal requests. */
export function simulated(): ChatProvider {
  return {
    complete: async (request, context) => completionOf(request, context),
    stream: async (request, context) => pushStreamOf(chunksOf(request, context)),
    models: async () => [SIMULATED_MODEL],
  };
}

interface Answer {
  content: string | null;
  call?: { name: string; arguments: string };
}

function completionOf(request: ChatRequest, context: CallContext): ChatCompletion {
  checkWaiting(context);
  const answer = answerTo(request);
  const choices = indexes(request).map((index) => ({
    index,
    message: {
      role: 'assistant' as const,
      content: answer.content,
      refusal: null,
      ...(answer.call ? { tool_calls: [{ id: callId(), type: 'function' as const, function: answer.call }] } : {}),
    },
    logprobs: null,
    finish_reason: finishOf(answer),
  }));
  return { ...headOf(request), object: 'chat.completion', choices, usage: usageOf(request, answer) };
}

async function* chunksOf(request: ChatRequest, context: CallContext): AsyncGenerator<ChatChunk> {
  const answer = answerTo(request);
  const head = { ...headOf(request), object: 'chat.completion.chunk' as const };
  const withUsage = request.stream_options?.include_usage === true;
  const noUsage = withUsage ? { usage: null } : {};
  for (const index of indexes(request)) {
    for (const delta of deltasOf(answer)) {
      checkWaiting(context);
      yield { ...head, choices: [{ index, delta, logprobs: null, finish_reason: null }], ...noUsage };
    }
    yield { ...head, choices: [{ index, delta: {}, logprobs: null, finish_reason: finishOf(answer) }], ...noUsage };
  }
  if (withUsage) yield { ...head, choices: [], usage: usageOf(request, answer) };
}

function answerTo(request: ChatRequest): Answer {
  const tool = forcedTool(request);
  if (tool) {
    const instance = smallestInstance(tool.function.parameters ?? { type: 'object' });
    return { content: null, call: { name: tool.function.name, arguments: JSON.stringify(instance) } };
  }
  const echo = textOf(request.messages.filter(({ role }) => role === 'user').at(-1)?.content);
  const format = request.response_format;
  if (format?.type === 'json_object') return { content: JSON.stringify({ simulated: true, echo }) };
  if (format?.type === 'json_schema') return { content: JSON.stringify(smallestInstance(format.json_schema.schema)) };
  return { content: `[simulated] ${echo}` };
}

function forcedTool({ tools, tool_choice: choice }: ChatRequest): ChatTool | null {
  if (typeof choice !== 'object' || choice === null) return null;
  const tool = tools?.find(({ function: { name } }) => name === choice.function?.name);
  if (tool) return tool;
  const message = `tool_choice names '${choice.function?.name}', which is not among the tools`;
  throw new ProviderError({ failureClass: 'provider', code: 'invalid_request', status: 400, message });
}

function deltasOf({ content, call }: Answer): ChatChunk['choices'][number]['delta'][] {
  if (!call)
    return [{ role: 'assistant', content: '' }, ...textChunks(content ?? '').map((text) => ({ content: text }))];
  const first = { index: 0, id: callId(), type: 'function' as const, function: { name: call.name, arguments: '' } };
  return [
    { role: 'assistant', content: null, tool_calls: [first] },
    ...textChunks(call.arguments).map((text) => ({ tool_calls: [{ index: 0, function: { arguments: text } }] })),
  ];
}

function textChunks(text: string): string[] {
  const points = [...text];
  const length = Math.max(SHORTEST_CHUNK, Math.ceil(points.length / CHUNKS));
  return Array.from({ length: Math.ceil(points.length / length) }, (_, at) =>
    points.slice(at * length, (at + 1) * length).join(''),
  );
}

function usageOf(request: ChatRequest, answer: Answer): TokenUsage {
  const prompt = tokens(request.messages.map(({ content }) => textOf(content)).join(''));
  const completion = tokens(answer.content ?? answer.call?.arguments ?? '') * indexes(request).length;
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function tokens(text: string): number {
  const codePoints = /[\ud800-\udfff]/.test(text) ? [...text].length : text.length;
  return Math.ceil(codePoints / 4);
}

function headOf(request: ChatRequest) {
  return {
    id: `chatcmpl-${randomUUID()}`,
    created: Math.floor(Date.now() / 1_000),
    model: request.model,
    system_fingerprint: 'simulated',
  };
}

function finishOf(answer: Answer): 'stop' | 'tool_calls' {
  return answer.call ? 'tool_calls' : 'stop';
}

function indexes(request: ChatRequest): number[] {
  return Array.from({ length: request.n ?? 1 }, (_, index) => index);
}

function callId(): string {
  return `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
}

function checkWaiting(context: CallContext): void {
  if (context.signal.aborted) throw failed('cancelled', 'the call was cancelled');
}
