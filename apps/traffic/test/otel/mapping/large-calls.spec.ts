import { bounded } from '../../../src/otel/otlp/bounded.js';
import type { Span } from '../../../src/otel/otlp/span.js';
import { RECORDED, mapped, chat, messagesWith } from './traces.js';

describe('a call with more than 200 messages', () => {
  it('has the newest of them', () => {
    const parts = (at: number) => [{ type: 'text', content: `m${at}` }];
    const messages = Array.from({ length: 250 }, (_, at) => ({ role: 'user', parts: parts(at) }));
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': JSON.stringify(messages) };
    const { requests } = mapped([chat({ attributes })]);
    const kept = (JSON.parse(requests[0]!.params) as { messages: { content: string }[] }).messages;
    expect([kept.length, kept[0]?.content, kept.at(-1)?.content]).toEqual([200, 'm50', 'm249']);
  });
});

describe('a call larger than 1 MiB', () => {
  const LONG = 'x'.repeat(2_000_000);
  const messagesOf = (attributes: object, more: Partial<Span> = {}) => {
    const { value, json } = bounded(chat({ attributes: attributes as Span['attributes'], ...more }));
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(1_048_576);
    return messagesWith(value.attributes, { events: value.events });
  };
  const text = (content: string) => ({ type: 'text', content });

  it('has its messages, whose long texts are cut', () => {
    const { messages, message } = messagesOf({
      'gen_ai.system_instructions': JSON.stringify([text('You look orders up.')]),
      'gen_ai.input.messages': JSON.stringify([
        { role: 'user', parts: [text(LONG)] },
        { role: 'user', parts: [text('Where is order 7?')] },
      ]),
      'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [text('Here.')] }]),
      'llm.invocation_parameters': LONG,
    });
    expect(messages).toMatchObject([
      { role: 'system', content: 'You look orders up.' },
      { role: 'user', content: expect.stringMatching(/^x+ \[cut: \d+ bytes\]$/) as string },
      { role: 'user', content: 'Where is order 7?' },
    ]);
    expect(message).toMatchObject({ content: 'Here.' });
  });

  it('has them also where they are messages of the Vercel AI SDK or in events', () => {
    const asked = [
      { role: 'user', content: LONG },
      { role: 'user', content: 'Where is order 7?' },
    ];
    const event = (content: object) => ({
      name: 'gen_ai.user.message',
      time_ms: RECORDED,
      attributes: { 'gen_ai.event.content': JSON.stringify(content) },
    });
    for (const { messages } of [
      messagesOf({ 'ai.prompt.messages': JSON.stringify(asked) }),
      messagesOf({}, { events: asked.map(event) }),
    ])
      expect(messages.map(({ role, content }) => [role, content.slice(0, 17)])).toEqual([
        ['user', 'x'.repeat(17)],
        ['user', 'Where is order 7?'],
      ]);
  });

  it.each([
    ['that is not JSON', `[${LONG}`],
    ['of too many values', `[${'[],'.repeat(600_000)}[]]`],
    ['of values nested too deep', '['.repeat(200_000) + ']'.repeat(200_000) + ' '.repeat(1_000_000)],
  ])('is cut like any other text %s', (_, value) => {
    const { value: kept } = bounded(chat({ attributes: { value } }));
    expect(kept.attributes.value).toMatch(/ \[cut: \d+ bytes\]$/);
  });
});
