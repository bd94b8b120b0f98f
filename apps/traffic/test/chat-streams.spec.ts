import { randomUUID } from 'node:crypto';
import { linesOf, textIn } from '@signalbox/bus';
import { chat, type ChatDelta, type ChatResult, models } from '@signalbox/contracts';
import { atMost, eventually } from '@signalbox/testing';
import { ask, LIST, recorded, refusal, startTraffic, type Traffic, withModel } from './traffic.js';

let traffic: Traffic;
beforeAll(async () => {
  traffic = await startTraffic();
}, 60_000);
afterAll(() => traffic.stop());
beforeEach(() => {
  traffic.world.calls.length = 0;
});

const call = { model: 'm', request_type: 'PROD' as const, metadata: {} };
const messages = [{ role: 'user' as const, content: 'hello' }];

function open(companyId: number, signal?: AbortSignal) {
  const { platform } = traffic;
  return platform.bus.stream(chat.endpoints.stream, { ...call, messages }, platform.caller(companyId), signal);
}

/** What is said, when, and the whole answer. */
async function heard(companyId: number) {
  const texts: { text: string; at: number }[] = [];
  let result: ChatResult | undefined;
  for await (const chunk of linesOf<ChatDelta>((await open(companyId)).chunks)) {
    if ('text' in chunk) texts.push({ text: chunk.text, at: Date.now() });
    else result = chunk.result;
  }
  return { texts, result };
}

describe('chat.stream', () => {
  it('sends the text as it arrives, then the whole answer, and records it once', async () => {
    const { companyId } = await withModel(traffic);
    const text = 'one two three four five six seven eight nine ten';
    traffic.world.answerWith(() => ({ text, chunkDelayMs: 60 }));
    const { texts, result } = await heard(companyId);
    expect(texts.map((each) => each.text).join('')).toBe(text);
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.at(-1)!.at - texts[0]!.at).toBeGreaterThan(60);
    expect(result).toMatchObject({ model: 'm', message: { role: 'assistant', content: text }, finish_reason: 'stop' });
    const [row] = await recorded(traffic, companyId, 1);
    expect(row).toMatchObject({ request_id: result!.request_id, status: 'COMPLETED', session_id: null });
    expect(row!['total_tokens']).toBe(result!.usage.total_tokens);
    expect(row!['first_token_time_ms']).toBeLessThan(row!['response_time_ms'] as number);
  });

  it('puts the calls of tools together', async () => {
    const { companyId } = await withModel(traffic);
    traffic.world.answerWith(() => ({ text: 'let me see', toolCalls: [{ name: 'f', arguments: { a: 1 } }] }));
    const { texts, result } = await heard(companyId);
    expect(texts.map((each) => each.text).join('')).toBe('let me see');
    expect(result!.message).toMatchObject({
      content: 'let me see',
      tool_calls: [{ type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
    });
    expect(result!.finish_reason).toBe('tool_calls');
  });

  it('takes reasoning as a list of parts, and parallel calls of tools without an index', async () => {
    const { companyId } = await withModel(traffic);
    const called = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{}' } });
    const deltas = [
      { role: 'assistant', content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] }] },
      { content: 'let me ' },
      { content: 'see' },
      { tool_calls: [called('a', 'f')] },
      { tool_calls: [called('b', 'g')] },
    ];
    const chunks = deltas.map((delta) => ({ id: 'c', choices: [{ index: 0, delta }] }));
    const end = { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] };
    const body = [...chunks, end].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
    const headers = { 'content-type': 'text/event-stream' };
    traffic.world.answerWith(() => ({ raw: { status: 200, headers, body } }));
    const { texts, result } = await heard(companyId);
    expect(texts.map((each) => each.text)).toEqual(['let me ', 'see']);
    expect(result?.message).toEqual({
      role: 'assistant',
      content: 'let me see',
      tool_calls: [called('a', 'f'), called('b', 'g')],
    });
  });

  it('says by name that a stream broke off, and refuses before the first chunk', async () => {
    const { companyId } = await withModel(traffic);
    traffic.world.answerWith(() => ({ text: 'x'.repeat(100), cutAfterChunks: 3 }));
    expect(await refusal(heard(companyId))).toMatchObject({ status: 502, code: 'stream_interrupted' });
    traffic.world.answerWith(() => ({ error: { status: 400 } }));
    expect(await refusal(open(companyId))).toMatchObject({ status: 502, code: 'provider_failed' });
    expect(await recorded(traffic, companyId, 2)).toMatchObject([
      {
        status: 'FAILED',
        failure_class: 'provider',
        response: { choices: [{ message: { content: 'x'.repeat(24) } }] },
      },
      { status: 'FAILED', failure_class: 'provider', response: null },
    ]);
  });
});

describe('a caller who leaves', () => {
  const calling = (companyId: number, request_id: string, { signal } = new AbortController()) => {
    const { platform } = traffic;
    const input = { ...call, messages, request_id };
    return platform.bus.forward(chat.endpoints.complete, input, platform.caller(companyId), signal);
  };

  it('stops the provider in the middle of a stream; what was said is kept', async () => {
    const { companyId } = await withModel(traffic);
    traffic.world.answerWith(() => ({ text: 'abcdefghijkl'.repeat(200), chunkDelayMs: 50 }));
    const leaving = new AbortController();
    for await (const chunk of linesOf<ChatDelta>((await open(companyId, leaving.signal)).chunks))
      if ('text' in chunk) leaving.abort();
    await eventually('the provider is left', () => traffic.world.calls[0]?.aborted);
    const [row] = await recorded(traffic, companyId, 1);
    expect(row).toMatchObject({ status: 'FAILED', failure_class: null, error_message: 'client_disconnected' });
    expect(JSON.stringify(row!['response'])).toContain('abcdefghijkl');
  });

  it('takes no answer from a caller who repeats the call', async () => {
    const { companyId } = await withModel(traffic);
    const { platform } = traffic;
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    traffic.world.answerWith(() => answered.then(() => 'fine'));
    const request_id = randomUUID();
    const leaving = new AbortController();
    const first = calling(companyId, request_id, leaving);
    await eventually('the provider is asked', () => traffic.world.calls.length === 1);
    const second = calling(companyId, request_id);
    // Calls of one process are taken in order, so this one is answered after the second one was taken.
    await platform.bus.call(models.endpoints.listModels, LIST, platform.caller(companyId));
    leaving.abort();
    expect((await refusal(first)).status).toBe(504);
    answer();
    expect(JSON.parse(textIn(await second))).toMatchObject({ request_id, message: { content: 'fine' } });
    expect(traffic.world.calls).toHaveLength(1);
    expect(await recorded(traffic, companyId, 1)).toMatchObject([{ request_id, status: 'COMPLETED' }]);
  });

  it('may make the call again at once', async () => {
    const { companyId } = await withModel(traffic);
    let asked = 0;
    traffic.world.answerWith(() => (asked++ === 0 ? { hang: true } : 'fine'));
    const request_id = randomUUID();
    const leaving = new AbortController();
    const first = calling(companyId, request_id, leaving);
    await eventually('the provider is asked', () => asked === 1);
    leaving.abort();
    const again = calling(companyId, request_id);
    expect((await refusal(first)).status).toBe(504);
    expect(JSON.parse(textIn(await again))).toMatchObject({ request_id, message: { content: 'fine' } });
  });

  it('stops the provider before it has answered', async () => {
    const { companyId } = await withModel(traffic);
    const { platform } = traffic;
    traffic.world.answerWith(() => ({ hang: true }));
    const leaving = new AbortController();
    const asked = platform.bus.forward(
      chat.endpoints.complete,
      { ...call, messages },
      platform.caller(companyId),
      leaving.signal,
    );
    await eventually('the provider is asked', () => traffic.world.calls.length === 1);
    leaving.abort();
    expect((await refusal(asked)).status).toBe(504);
    expect(await atMost(5000, () => traffic.world.calls[0]?.aborted)).toBe(true);
    const [row] = await recorded(traffic, companyId, 1);
    expect(row).toMatchObject({ status: 'FAILED', failure_class: null, error_message: 'client_disconnected' });
    traffic.world.answerWith(() => 'fine');
    expect((await ask(traffic, companyId, 'again', { model: 'm' })).message.content).toBe('fine');
  });
});
