import { timeScale } from '@signalbox/testing';
import { models, providers, requests } from '@signalbox/contracts';
import { ask, KEY, newModel, refusal, recorded, startTraffic, type Traffic, withModel } from './traffic.js';

let traffic: Traffic;
beforeAll(async () => {
  traffic = await startTraffic();
}, 60_000);
afterAll(() => traffic.stop());
beforeEach(() => {
  traffic.world.answerWith(() => 'fine');
  traffic.world.calls.length = 0;
});

const rows = (companyId: number, count: number) => recorded(traffic, companyId, count);

describe('chat.complete', () => {
  it('answers with the default model of the company when none is named', async () => {
    const { companyId } = await traffic.platform.company();
    const result = await ask(traffic, companyId, 'hello');
    expect(result).toMatchObject({
      model: 'simulated-echo',
      message: { role: 'assistant', content: '[simulated] hello' },
      finish_reason: 'stop',
      usage: { prompt_tokens: 2, completion_tokens: 5, total_tokens: 7, cost: 0 },
    });
  });

  it('passes every parameter on, counts the cost and records the call once with an event', async () => {
    const { companyId } = await withModel(traffic);
    traffic.world.answerWith(() => ({ toolCalls: [{ name: 'f', arguments: { a: 1 } }] }));
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }];
    const more = {
      model: 'm',
      tools,
      tool_choice: 'auto',
      temperature: 0.5,
      max_tokens: 9,
      response_format: { type: 'json_object' as const },
      session_id: 's-1',
      reference_id: 'r-1',
      metadata: { customer: 'nul \ufffd' },
    };
    const result = await ask(traffic, companyId, 'hello', more);
    expect(traffic.world.calls[0]?.body).toMatchObject({
      model: 'm',
      tools,
      tool_choice: 'auto',
      temperature: 0.5,
      max_tokens: 9,
    });
    expect(result.message.tool_calls?.[0]?.function).toEqual({ name: 'f', arguments: '{"a":1}' });
    const { prompt_tokens, completion_tokens, cost } = result.usage;
    expect(cost).toBeCloseTo((prompt_tokens + 2 * completion_tokens) / 1e6, 10);
    const [row] = await rows(companyId, 1);
    expect(row).toMatchObject({
      request_id: result.request_id,
      model: 'm',
      provider: 'outside',
      status: 'COMPLETED',
      failure_class: null,
      session_id: 's-1',
      reference_id: 'r-1',
      request_type: 'PROD',
      metadata: more.metadata,
      params: { messages: [{ role: 'user', content: 'hello' }], tools, temperature: 0.5 },
      response: { object: 'chat.completion' },
      cost,
    });
    const { rows: events } = await traffic.platform.sql.query(
      `SELECT payload::jsonb->'data' AS data FROM traffic.outbox WHERE company_id = $1 AND subject LIKE '%request.completed'`,
      [companyId],
    );
    const { request_id } = result;
    const read = await traffic.platform.bus.call(
      requests.endpoints.getRequest,
      { request_id },
      traffic.platform.caller(companyId),
    );
    const { params: _params, response: _response, corrected_response: _corrected, ...record } = read;
    expect(events.map(({ data }) => data)).toEqual([record]);
  });

  it.each([
    ['an error', 'provider', 502, 'provider_failed', { error: { status: 400, message: 'x'.repeat(5000) } }],
    ['silence', 'timeout', 504, 'provider_timeout', { hang: true as const }],
    ['nonsense', 'provider', 502, 'provider_failed', { raw: { status: 200, headers: {}, body: 'hello' } }],
  ])('records %s of the provider as %s and answers %i %s', async (_name, failureClass, status, code, reply) => {
    const { companyId } = await withModel(traffic);
    traffic.world.answerWith(() => reply);
    const refused = await refusal(ask(traffic, companyId, 'hello', { model: 'm' }, Math.round(1500 * timeScale())));
    expect(refused).toMatchObject({ status, code });
    expect(refused.message.length).toBeLessThanOrEqual(2100);
    const [row] = await rows(companyId, 1);
    expect(row).toMatchObject({
      status: 'FAILED',
      failure_class: failureClass,
      response: null,
      error_message: refused.message,
    });
  });

  it('keeps to the time-out of the provider', async () => {
    const { companyId } = await withModel(traffic, { timeout_ms: 300 });
    traffic.world.answerWith(() => ({ hang: true }));
    const began = Date.now();
    expect((await refusal(ask(traffic, companyId, 'x', { model: 'm' }))).code).toBe('provider_timeout');
    // The caller would wait for 15 s, the provider without its own setting for 60 s.
    expect(Date.now() - began).toBeLessThan(10_000 * timeScale());
  });

  it('stores answers that Postgres cannot take as they are', async () => {
    const { companyId } = await withModel(traffic);
    traffic.world.answerWith(() => ({ text: 'a\0b\ud800c' }));
    await ask(traffic, companyId, 'x', { model: 'm' });
    const [row] = await rows(companyId, 1);
    expect(JSON.stringify(row?.response)).toContain('a\ufffdb\ufffdc');
  });

  it('refuses unknown and disabled models alike, at once after the change', async () => {
    const { platform } = traffic;
    const { companyId, model, provider } = await withModel(traffic);
    const gone = { status: 404, code: 'model_not_found', message: 'model m not found' };
    expect(await refusal(ask(traffic, companyId, 'x', { model: 'nope' }))).toMatchObject({
      status: 404,
      code: gone.code,
    });
    const caller = () => platform.caller(companyId);
    const ok = () => ask(traffic, companyId, 'x', { model: 'm' });
    await ok();
    await platform.bus.call(models.endpoints.disableModel, { model_id: model.id }, caller());
    expect(await refusal(ok())).toEqual(gone);
    await platform.bus.call(models.endpoints.enableModel, { model_id: model.id }, caller());
    await ok();
    await platform.bus.call(
      providers.endpoints.updateProvider,
      { provider_id: provider.id, status: 'DISABLED' },
      caller(),
    );
    expect(await refusal(ok())).toEqual(gone);
  });

  it('says when a provider has no key, and when a schema is too large for the simulation', async () => {
    const { platform } = traffic;
    const { companyId, provider } = await withModel(traffic);
    const caller = platform.caller(companyId);
    await platform.bus.call(providers.endpoints.updateProvider, { provider_id: provider.id, api_key: null }, caller);
    expect(await refusal(ask(traffic, companyId, 'x', { model: 'm' }))).toMatchObject({
      status: 502,
      code: 'provider_not_configured',
    });
    const schema = { type: 'array', minItems: 5000, items: {} };
    const response_format = { type: 'json_schema' as const, json_schema: { name: 's', schema } };
    expect((await refusal(ask(traffic, companyId, 'x', { response_format }))).status).toBe(422);
    const found = await rows(companyId, 2);
    expect(found.map(({ status }) => status)).toEqual(['FAILED', 'FAILED']);
  });

  it('repeats a failed try within its budget and opens the breaker on a provider that is down', async () => {
    const { platform } = traffic;
    const { companyId, provider } = await withModel(traffic);
    await platform.bus.call(models.endpoints.createModel, newModel('m2', provider.id), platform.caller(companyId));
    traffic.world.answerWith((_request, index) => (index % 2 === 0 ? { error: { status: 500 } } : 'fine'));
    await ask(traffic, companyId, 'x', { model: 'm' });
    expect(traffic.world.calls).toHaveLength(2);
    traffic.world.answerWith(() => ({ error: { status: 503 } }));
    traffic.world.calls.length = 0;
    const refused = [];
    for (let call = 0; call < 30; call++) refused.push(await refusal(ask(traffic, companyId, 'x', { model: 'm2' })));
    expect(refused.every(({ status }) => status === 502)).toBe(true);
    expect(refused.at(-1)?.message).toContain('failed repeatedly');
    // Ten failures open the breaker for both models of the host: what follows is refused without a call.
    expect(traffic.world.calls.length).toBeLessThanOrEqual(14);
    expect((await rows(companyId, 31)).filter(({ status }) => status === 'FAILED')).toHaveLength(30);
  });

  it('never shows the key of a provider that repeats it', async () => {
    const { companyId } = await withModel(traffic);
    traffic.world.answerWith(() => ({ error: { status: 401, message: `bad key ${KEY}` } }));
    const refused = await refusal(ask(traffic, companyId, 'x', { model: 'm' }));
    traffic.world.answerWith(() => `your key is ${KEY}`);
    const named = await ask(traffic, companyId, 'x', { model: 'm' });
    const recorded = await rows(companyId, 2);
    const all = JSON.stringify([refused, named, recorded]) + (await traffic.platform.logOf('traffic'));
    expect(all).not.toContain(KEY);
    expect(refused.message).toContain('bad key');
  });
});
