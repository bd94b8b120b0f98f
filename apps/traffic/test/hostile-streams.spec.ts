import { textIn } from '@signalbox/bus';
import { completions } from '@signalbox/contracts';
import { recorded, refusal, startTraffic, type Traffic, withModel } from './traffic.js';

let traffic: Traffic;
beforeAll(async () => {
  traffic = await startTraffic();
}, 60_000);
afterAll(() => traffic.stop());

const chunk = (delta: unknown, more = '') =>
  `{"id":"x","choices":[{"index":0,"delta":${JSON.stringify(delta)}${more}}]}`;
const deep = (depth: number) =>
  `{"id":"x","choices":[{"index":0,"delta":{"more":${'['.repeat(depth)}${']'.repeat(depth)}}}]}`;
const event = (data: string) => `data: ${data}\n\n`;
const GOOD = event(chunk({ role: 'assistant', content: 'good' }));

/** What a provider sends instead of a chunk. */
const HOSTILE: [string, string][] = [
  ['nested 5,000 deep', event(deep(5_000))],
  ['nested 1,000,000 deep', event(deep(1_000_000))],
  ['without an end', `data: ${chunk({ content: 'x' }).slice(0, -5)}`],
  ['in a line of 4.5 million characters', `data: ${'x'.repeat(4_500_000)}`],
  ['in 500,000 lines', 'data: 123456\n'.repeat(500_000)],
  ['that is no JSON', event('<html>')],
  ['with a choice that is null', event('{"id":"x","choices":[null]}')],
  ['with a choice that is a text', event('{"id":"x","choices":["x"]}')],
  ['with a delta that is a list', event(chunk([1]))],
  ['with calls of tools that are null', event(chunk({ tool_calls: [null] }))],
  [
    'with a call of a tool that has a list as its arguments',
    event(chunk({ tool_calls: [{ function: { arguments: [] } }] })),
  ],
];

async function stream(companyId: number, body: string): Promise<string> {
  const headers = { 'content-type': 'text/event-stream' };
  traffic.world.answerWith(() => ({ raw: { status: 200, headers, body } }));
  const call = {
    model: 'm',
    messages: [{ role: 'user' as const, content: 'x' }],
    stream: true,
    return_evaluation: false,
  };
  const caller = traffic.platform.caller(companyId);
  const reply = await traffic.platform.bus.stream(completions.endpoints.streamCompletion, call, caller);
  let text = '';
  for await (const chunk of reply.chunks) text += typeof chunk === 'string' ? chunk : textIn({ body: chunk } as never);
  return text;
}

describe.each(HOSTILE)('a chunk %s', (_what, hostile) => {
  it('is a failure of the provider when it is the first', async () => {
    const { companyId } = await withModel(traffic);
    const failure = await refusal(stream(companyId, hostile));
    expect([failure.status, failure.code]).toEqual([502, 'provider_failed']);
    const [row] = await recorded(traffic, companyId, 1);
    expect(row).toMatchObject({ status: 'FAILED', failure_class: 'provider' });
  });

  it('ends the stream as a failure of the provider when it is a later one', async () => {
    const { companyId } = await withModel(traffic);
    const text = await stream(companyId, GOOD + hostile);
    expect(text).toContain('"content":"good"');
    const frames = text.trim().split('\n\n');
    expect(JSON.parse(frames.at(-1)!.slice('data: '.length))).toMatchObject({ error: { code: 'provider_failed' } });
    const [row] = await recorded(traffic, companyId, 1);
    expect(row).toMatchObject({ status: 'FAILED', failure_class: 'provider' });
  });
});

it('a chunk whose delta is null says nothing', async () => {
  const { companyId } = await withModel(traffic);
  const text = await stream(
    companyId,
    GOOD + event(chunk(null)) + event(chunk({}, ',"finish_reason":"stop"')) + event('[DONE]'),
  );
  expect(text.trim().endsWith('data: [DONE]')).toBe(true);
  const [row] = await recorded(traffic, companyId, 1);
  expect(row).toMatchObject({ status: 'COMPLETED', response: { choices: [{ message: { content: 'good' } }] } });
});
