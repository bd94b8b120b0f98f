/** Traces of an export, and spans of each: an agent with four turns, each a call of a model and one of a tool. */
export const TRACES = 10;
const TURNS = 4;
export const SPANS = TRACES * (1 + 2 * TURNS);

const QUESTION = 'I bought a hedge trimmer from you last spring. What should I check before I send it in?';
const ANSWER = 'An answer of a usual length, as a model gives it to a user who asks how to reset a password. ';

const nanos = (ms: number): string => `${ms}000000`;
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

function attributes(values: Record<string, string | number>): object[] {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) },
  }));
}

/** Messages as the semantic conventions have them. */
const messages = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

const AGENT = {
  'gen_ai.operation.name': 'invoke_agent',
  'gen_ai.agent.name': 'Order desk',
  'gen_ai.agent.version': '1.0.0',
};
const MODEL = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'bench-model',
  'gen_ai.usage.input_tokens': 120,
  'gen_ai.usage.output_tokens': 96,
  'gen_ai.input.messages': messages('user', QUESTION),
  'gen_ai.output.messages': messages('assistant', ANSWER.repeat(3)),
};
const TOOL = {
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': 'look_up',
  'gen_ai.tool.call.arguments': '{"order":"7"}',
  'gen_ai.tool.call.result': '{"state":"sent"}',
};

function spansOf(trace: number, now: number): object[] {
  // `{id}` has eight digits and differs from export to export.
  const traceId = `${hex(trace + 1, 24)}{id}`;
  const times = (at: number) => ({ startTimeUnixNano: nanos(now + at), endTimeUnixNano: nanos(now + at + 1) });
  const root = hex(1, 16);
  const turns = Array.from({ length: TURNS }, (_, turn) =>
    [MODEL, TOOL].map((values, part) => ({
      ...{ traceId, spanId: hex(2 + 2 * turn + part, 16), parentSpanId: root, name: 'step', kind: part === 0 ? 3 : 1 },
      ...times(2 * turn + part),
      attributes: attributes(values),
    })),
  );
  const agent = { traceId, spanId: root, name: 'answer', kind: 1, ...times(0), attributes: attributes(AGENT) };
  return [agent, ...turns.flat()];
}

/** The body of an export in OTLP's JSON, in which `{id}` stands for a number of eight digits. */
export function exportBody(now: number): string {
  const spans = Array.from({ length: TRACES }, (_, trace) => spansOf(trace, now)).flat();
  const resource = { attributes: attributes({ 'service.name': 'shop', 'telemetry.sdk.language': 'nodejs' }) };
  return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'bench' }, spans }] }] });
}
