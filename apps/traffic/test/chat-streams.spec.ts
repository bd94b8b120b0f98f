import { linesOf } from '@signalbox/bus';
import { chat, type ChatDelta, type ChatResult } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { ask, recorded, refusal, startTraffic, type Traffic, withModel } from './traffic.js';

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
    await eventually('the provider is left', () => traffic.world.calls[0]?.aborted, 5000);
    const [row] = await recorded(traffic, companyId, 1);
    expect(row).toMatchObject({ status: 'FAILED', failure_class: null, error_message: 'client_disconnected' });
    traffic.world.answerWith(() => 'fine');
    expect((await ask(traffic, companyId, 'again', { model: 'm' })).message.content).toBe('fine');
  });
});
