import type { RecordedRequest } from './recorded-requests.js';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The declared fields of a recorded message: providers and clients add others. */
export function recordedMessage(recorded: unknown): Json {
  const { role = 'assistant', content, name, tool_calls, tool_call_id } = isObject(recorded) ? recorded : {};
  const calls = Array.isArray(tool_calls) && tool_calls.length > 0 ? tool_calls.map(callOf) : undefined;
  return Object.fromEntries(
    Object.entries({ role, content: content ?? null, name, tool_calls: calls, tool_call_id }).filter(
      ([key, value]) => value !== undefined && (value !== null || key === 'content'),
    ),
  );
}

function callOf(recorded: unknown): Json {
  const call = isObject(recorded) ? recorded : {};
  const called = isObject(call.function) ? call.function : {};
  return { id: call.id, type: 'function', function: { name: called.name, arguments: called.arguments } };
}

/** The declared fields of recorded messages. */
export const recordedMessages = (recorded: unknown): Json[] =>
  Array.isArray(recorded) ? recorded.map(recordedMessage) : [];

function firstChoice(response: unknown): unknown {
  const choices: unknown = isObject(response) ? response.choices : undefined;
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined;
  return isObject(first) ? first.message : undefined;
}

/** The message that answered a request, or its correction when there is one and it is wanted; undefined for none. */
export function recordedAnswer(
  request: Pick<RecordedRequest, 'response'> & { corrected_response: unknown },
  useCorrection: boolean,
): { message: Json; isCorrected: boolean } | undefined {
  const corrected = useCorrection ? firstChoice(request.corrected_response) : undefined;
  const answer = corrected ?? firstChoice(request.response);
  return answer === undefined ? undefined : { message: recordedMessage(answer), isCorrected: corrected !== undefined };
}
