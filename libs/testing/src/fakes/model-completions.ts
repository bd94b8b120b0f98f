import { messageText, type AnswerReply, type ModelRequest } from './model-replies.js';

const CHUNK_LENGTH = 12;
let issued = 0;

interface Head {
  id: string;
  created: number;
  model: string;
}

export function completionOf(request: ModelRequest, reply: AnswerReply): Record<string, unknown> {
  const head = headOf(request);
  const calls = toolCallsOf(reply, head.id);
  const message = {
    role: 'assistant',
    content: reply.text ?? (calls ? null : ''),
    refusal: null,
    ...(calls ? { tool_calls: calls } : {}),
  };
  const choices = indexes(request).map((index) => ({ index, message, logprobs: null, finish_reason: finishOf(reply) }));
  return { ...head, object: 'chat.completion', choices, usage: usageOf(request, reply) };
}

export function chunksOf(request: ModelRequest, reply: AnswerReply): Record<string, unknown>[] {
  const head = headOf(request);
  const withUsage = request.stream_options?.include_usage === true;
  const chunk = (choices: unknown[], usage: unknown = null) => ({
    ...head,
    object: 'chat.completion.chunk',
    choices,
    ...(withUsage ? { usage } : {}),
  });
  const deltas = [
    { role: 'assistant', content: reply.toolCalls ? null : '' },
    ...textDeltas(reply),
    ...callDeltas(reply, head.id),
  ];
  const chunks = indexes(request).flatMap((index) => [
    ...deltas.map((delta) => chunk([{ index, delta, logprobs: null, finish_reason: null }])),
    chunk([{ index, delta: {}, logprobs: null, finish_reason: finishOf(reply) }]),
  ]);
  return withUsage ? [...chunks, chunk([], usageOf(request, reply))] : chunks;
}

function headOf(request: ModelRequest): Head {
  issued += 1;
  return {
    id: `chatcmpl-${String(issued).padStart(8, '0')}`,
    created: Math.floor(Date.now() / 1000),
    model: request.model,
  };
}

function indexes(request: ModelRequest): number[] {
  return Array.from({ length: request.n ?? 1 }, (_, index) => index);
}

function finishOf(reply: AnswerReply): string {
  return reply.finishReason ?? (reply.toolCalls ? 'tool_calls' : 'stop');
}

function toolCallsOf(reply: AnswerReply, id: string) {
  return reply.toolCalls?.map((call, index) => ({
    id: `call_${id.slice(9)}_${index}`,
    type: 'function',
    function: { name: call.name, arguments: argumentsOf(call.arguments) },
  }));
}

function argumentsOf(given: unknown): string {
  return typeof given === 'string' ? given : JSON.stringify(given ?? {});
}

function textDeltas(reply: AnswerReply): object[] {
  const points = [...(reply.text ?? '')];
  const count = Math.ceil(points.length / CHUNK_LENGTH);
  return Array.from({ length: count }, (_, at) => ({
    content: points.slice(at * CHUNK_LENGTH, (at + 1) * CHUNK_LENGTH).join(''),
  }));
}

/** Like OpenAI: id and name first, then the arguments in chunks under the same index. */
function callDeltas(reply: AnswerReply, id: string): object[] {
  return (toolCallsOf(reply, id) ?? []).flatMap(({ function: { name, arguments: text }, ...call }, index) => {
    const half = Math.ceil(text.length / 2);
    const pieces = [text.slice(0, half), text.slice(half)].filter((piece) => piece !== '');
    return [
      { tool_calls: [{ index, ...call, function: { name, arguments: '' } }] },
      ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ];
  });
}

function usageOf(request: ModelRequest, reply: AnswerReply) {
  const asked = request.messages.map(({ content }) => messageText(content)).join('');
  const called = (reply.toolCalls ?? []).map((call) => argumentsOf(call.arguments)).join('');
  const prompt = tokens(asked);
  const completion = tokens((reply.text ?? '') + called) * (request.n ?? 1);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function tokens(text: string): number {
  return Math.ceil([...text].length / 4);
}
