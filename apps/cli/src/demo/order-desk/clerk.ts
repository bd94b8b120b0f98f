import { randomBytes } from 'node:crypto';

export const CLERK = { name: 'Front desk (demo)', version: '2.3.0' };

export const answerTo = (question: string): string => `Order ${/\d+/.exec(question)?.[0] ?? '?'} is on its way.`;

const attributes = (values: Record<string, string>): object[] =>
  Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }));

const message = (role: string, content: string): string =>
  JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

function spansOf(question: string, traceparent: string): object[] {
  const [, traceId = randomBytes(16).toString('hex'), caller = ''] = traceparent.split('-');
  const [root, model, tool] = Array.from({ length: 3 }, () => randomBytes(8).toString('hex'));
  const now = Date.now();
  const span = (spanId = '', parentSpanId = '', [from, to]: [number, number], values: Record<string, string>) => ({
    ...{ traceId, spanId, parentSpanId, name: values['gen_ai.operation.name'], kind: 1 },
    ...{ startTimeUnixNano: `${now - from}000000`, endTimeUnixNano: `${now - to}000000` },
    attributes: attributes(values),
  });
  return [
    span(root, caller, [900, 0], {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': CLERK.name,
      'gen_ai.agent.version': CLERK.version,
    }),
    span(tool, root, [800, 500], {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'look_up',
      'gen_ai.tool.call.arguments': JSON.stringify({ question }),
      'gen_ai.tool.call.result': '{"state":"on its way"}',
    }),
    span(model, root, [500, 100], {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'model-of-the-program',
      'gen_ai.input.messages': message('user', question),
      'gen_ai.output.messages': message('assistant', answerTo(question)),
    }),
  ];
}

/**
 * A program that may run anywhere: it answers questions and sends OpenTelemetry traces. It knows only the address for
 * traces, and a key for that alone.
 */
export class Clerk {
  constructor(private readonly traces: { origin: string; key: string }) {}

  /** Answers the last message; `traceparent` is that of the caller, or empty. */
  async answer(messages: readonly { content: string }[], traceparent = ''): Promise<{ text: string }> {
    const question = messages.at(-1)?.content ?? '';
    await this.trace(question, traceparent);
    return { text: answerTo(question) };
  }

  private async trace(question: string, traceparent: string): Promise<void> {
    const { origin, key } = this.traces;
    const resource = { attributes: attributes({ 'service.name': CLERK.name }) };
    const body = { resourceSpans: [{ resource, scopeSpans: [{ spans: spansOf(question, traceparent) }] }] };
    const headers = { 'content-type': 'application/json', 'x-service-api-key': key };
    const reply = await fetch(`${origin}/otel/v1/traces`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`the traces were refused with ${reply.status}`);
  }
}
