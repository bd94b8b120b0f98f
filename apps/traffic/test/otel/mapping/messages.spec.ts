import { bounded } from '../../../src/otel/otlp/bounded.js';
import { RECORDED, USER, ANSWER, chat, messagesWith } from './traces.js';

describe('an image, sound or file in a message', () => {
  const BYTES = 90_000;
  const BASE64 = Buffer.alloc(BYTES, 7).toString('base64');
  const DATA_URL = `data:image/png;base64,${BASE64}`;
  const QUESTION = 'What is that?';
  const conventional = (...parts: object[]) => ({
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [...parts, { type: 'text', content: QUESTION }] }]),
  });
  const vercel = (part: object) => ({
    'ai.prompt.messages': JSON.stringify([{ role: 'user', content: [part, { type: 'text', text: QUESTION }] }]),
  });
  const traceloop = (part: object) => ({
    'gen_ai.prompt.0.role': 'user',
    'gen_ai.prompt.0.content': JSON.stringify([part, { type: 'text', text: QUESTION }]),
  });
  const openInference = (type: string, name: string, value: string) => ({
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.contents.0.message_content.type': type,
    [`llm.input_messages.0.message.contents.0.message_content.${name}`]: value,
    'llm.input_messages.0.message.contents.1.message_content.type': 'text',
    'llm.input_messages.0.message.contents.1.message_content.text': QUESTION,
  });
  const blob = { type: 'blob', modality: 'image', mime_type: 'image/png', content: BASE64 };
  const SHOWN = `[image image/png, ${BYTES} bytes]`;

  it.each<[string, object, string]>([
    ['a blob', conventional(blob), SHOWN],
    ['an address', conventional({ type: 'uri', modality: 'video', uri: 'gs://a/b.mp4' }), '[video: gs://a/b.mp4]'],
    ['a file', conventional({ type: 'file', file_id: 'file-7' }), '[file: file-7]'],
    ['an image of the Vercel AI SDK', vercel({ type: 'image', image: BASE64, mediaType: 'image/png' }), SHOWN],
    ['its bytes', vercel({ type: 'image', image: { 0: 1, 1: 2, 2: 3 } }), '[image, 3 bytes]'],
    [
      'a file of it',
      vercel({ type: 'file', data: 'https://a/b.pdf', mediaType: 'application/pdf' }),
      '[file application/pdf: https://a/b.pdf]',
    ],
    ['an image of OpenInference', openInference('image', 'image.image.url', DATA_URL), SHOWN],
    ['its address', openInference('image', 'image.image.url', 'https://a/b.png'), '[image: https://a/b.png]'],
    ['an image of OpenAI', vercel({ type: 'image_url', image_url: { url: DATA_URL } }), SHOWN],
    [
      'sound of OpenAI',
      vercel({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }),
      '[audio wav, 3 bytes]',
    ],
    [
      'an image of Anthropic',
      vercel({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: BASE64 } }),
      SHOWN,
    ],
  ])('is shown by its type before what follows it: %s', (_, attributes, shown) => {
    expect(messagesWith(attributes).messages).toMatchObject([{ role: 'user', content: `${shown}\n${QUESTION}` }]);
  });

  it('is shown by its type within other texts too', () => {
    const attributes = traceloop({ type: 'image_url', image_url: { url: DATA_URL } });
    const { content } = messagesWith(attributes).messages[0]!;
    expect(content).toContain(`"url":"[image/png, ${BYTES} bytes]"`);
    expect(content).toContain(QUESTION);
  });

  it('has the size that it had before its span was cut', () => {
    const large = { ...blob, content: Buffer.alloc(1_500_000, 7).toString('base64') };
    const { value } = bounded(chat({ attributes: conventional(large) }));
    expect(messagesWith(value.attributes).messages[0]!.content).toBe(`[image image/png, 1500000 bytes]\n${QUESTION}`);
  });

  it('is a text where a document is one', () => {
    const document = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Terms' } };
    expect(messagesWith(vercel(document)).messages[0]!.content).toContain('Terms');
  });
});

describe('messages in an event of the span', () => {
  it('are those of the call, also when question and answer are an event each', () => {
    const event = (name: string, role: string, content: string) => ({
      name: 'gen_ai.client.inference.operation.details',
      time_ms: RECORDED,
      attributes: { [name]: JSON.stringify([{ role, parts: [{ type: 'text', content }] }]) },
    });
    const events = [
      event('gen_ai.input.messages', 'user', USER.content),
      event('gen_ai.output.messages', 'assistant', ANSWER.content),
    ];
    expect(messagesWith({}, { events })).toEqual({ messages: [USER], message: ANSWER });
  });
});

describe('an answer of the Responses API by OpenInference', () => {
  it('has all parallel calls of tools, which are messages of their own there', () => {
    const call = (at: number) => ({
      [`llm.output_messages.${at}.message.role`]: 'assistant',
      [`llm.output_messages.${at}.message.tool_calls.0.tool_call.id`]: `call-${at}`,
      [`llm.output_messages.${at}.message.tool_calls.0.tool_call.function.name`]: 'look_up',
      [`llm.output_messages.${at}.message.tool_calls.0.tool_call.function.arguments`]: '{}',
    });
    const text = {
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.contents.0.message_content.type': 'text',
      'llm.output_messages.0.message.contents.0.message_content.text': 'One moment.',
    };
    const { message } = messagesWith({ ...text, ...call(1), ...call(2) });
    expect(message).toMatchObject({ content: 'One moment.', tool_calls: [{ id: 'call-1' }, { id: 'call-2' }] });
  });
});
