import { randomUUID } from 'node:crypto';
import { chat, completions, type CompletionCall, requests } from '@signalbox/contracts';
import { ask, recorded, refusal, rowsOf, startTraffic, type Traffic, withModel } from './traffic.js';

let traffic: Traffic;
beforeAll(async () => {
  traffic = await startTraffic();
}, 60_000);
afterAll(() => traffic.stop());
beforeEach(() => traffic.world.answerWith(() => 'fine'));

const { endpoints: api } = completions;
const messages = [{ role: 'user' as const, content: 'hello' }];
const callOf = (more: Partial<CompletionCall> = {}) => ({ model: 'm', messages, return_evaluation: false, ...more });
const complete = (companyId: number, more: Partial<CompletionCall> = {}) =>
  traffic.platform.bus.call(api.createCompletion, callOf(more), traffic.platform.caller(companyId));

describe.each([5_000, 1_000_000])('a reply nested %i deep', (depth) => {
  const deep = '['.repeat(depth) + ']'.repeat(depth);
  const whole = `{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":"a","more":${deep}}}]}`;
  const chunk = `{"id":"x","choices":[{"index":0,"delta":{"content":"a","more":${deep}}}]}`;

  it('is a failure of the provider, with a record, for every caller', async () => {
    const { companyId } = await withModel(traffic);
    traffic.world.answerWith(({ stream }) => ({
      raw: stream
        ? { status: 200, headers: { 'content-type': 'text/event-stream' }, body: `data: ${chunk}\n\n` }
        : { status: 200, headers: { 'content-type': 'application/json' }, body: whole },
    }));
    const caller = () => traffic.platform.caller(companyId);
    const failures = [
      await refusal(complete(companyId)),
      await refusal(ask(traffic, companyId, 'hello', { model: 'm' })),
      await refusal(
        traffic.platform.bus.stream(
          chat.endpoints.stream,
          { model: 'm', messages, request_type: 'PROD', metadata: {} },
          caller(),
        ),
      ),
    ];
    for (const { status, code } of failures) expect([status, code]).toEqual([502, 'provider_failed']);
    const rows = await recorded(traffic, companyId, failures.length);
    expect(rows.map(({ status, failure_class }) => [status, failure_class])).toEqual(
      failures.map(() => ['FAILED', 'provider']),
    );
  });
});

describe('secrets of a completion', () => {
  const TOKEN = 'tok/4f9c2d7b1e"x';
  const secrets = { TOKEN, OTHER: '12345678' };
  const spellings = [TOKEN, JSON.stringify(TOKEN).slice(1, -1), Buffer.from(TOKEN).toString('base64'), '12345678'];
  const said = `it is ${TOKEN}, or ${Buffer.from(TOKEN).toString('base64')}`;
  const more = {
    messages: [{ role: 'user' as const, content: `use ${TOKEN}` }],
    metadata: { note: said, [TOKEN]: 12_345_678 },
    reference_id: TOKEN,
    secrets,
  };

  it('are in no part of its record', async () => {
    const { companyId } = await withModel(traffic);
    traffic.world.answerWith(() => said);
    const { request_id } = await complete(companyId, more);
    traffic.world.answerWith(() => ({ error: { status: 400, message: `no such key: ${TOKEN}` } }));
    expect((await refusal(complete(companyId, more))).status).toBe(502);
    const rows = await recorded(traffic, companyId, 2);
    expect(rows[0]).toMatchObject({
      request_id,
      params: { messages: [{ content: 'use [secret]' }] },
      metadata: { note: 'it is [secret], or [secret]', '[secret]': '[secret]' },
      response: { choices: [{ message: { content: 'it is [secret], or [secret]' } }] },
      reference_id: '[secret]',
    });
    expect(rows[1]!['error_message']).toContain('no such key: [secret]');
    for (const spelling of spellings) expect(JSON.stringify(rows)).not.toContain(JSON.stringify(spelling).slice(1, -1));
  });

  it('are in no part of an answer that a client has stored', async () => {
    const { companyId } = await withModel(traffic);
    const request_id = randomUUID();
    const input = {
      chat_completion_request: { ...callOf(more), request_id },
      chat_completion_response: { choices: [{ message: { role: 'assistant' as const, content: said } }] },
    };
    await traffic.platform.bus.call(api.storeCompletion, input, traffic.platform.caller(companyId));
    const [row] = await rowsOf(traffic, companyId);
    expect(row).toMatchObject({ request_id, params: { messages: [{ content: 'use [secret]' }] } });
    for (const spelling of spellings) expect(JSON.stringify(row)).not.toContain(JSON.stringify(spelling).slice(1, -1));
    const found = await traffic.platform.bus.call(
      requests.endpoints.getRequest,
      { request_id },
      traffic.platform.caller(companyId),
    );
    expect(JSON.stringify(found)).not.toContain('4f9c2d7b1e');
  });
});

describe('a schema for an answer', () => {
  const format = (schema: Record<string, unknown>) => ({
    response_format: { type: 'json_schema' as const, json_schema: { name: 'n', schema } },
  });

  it('may be of an older draft, and goes to the provider as it is', async () => {
    const { companyId } = await withModel(traffic);
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { a: { type: 'string', nullable: true }, b: { type: 'array', items: [{ type: 'string' }] } },
      definitions: { c: { type: 'string' } },
    };
    traffic.world.calls.length = 0;
    expect((await refusal(complete(companyId, format(schema)))).status).toBe(200);
    expect(traffic.world.calls[0]!.body).toMatchObject({ response_format: { json_schema: { schema } } });
  });

  it.each([
    [{ $schema: 'http://json-schema.org/draft-04/schema#' }],
    [{ type: 'nonsense' }],
    [{ $ref: 'https://example.com/x.json' }],
  ])('is refused when it cannot be used: %j', async (schema) => {
    const { companyId } = await withModel(traffic);
    expect((await refusal(complete(companyId, format(schema)))).status).toBe(422);
    expect(await rowsOf(traffic, companyId)).toEqual([]);
  });
});
