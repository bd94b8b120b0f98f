import { eventually, type ModelProvider, Platform, startModelProvider, type TestCompany } from '@signalbox/testing';

const KEY = 'sk-the-providers-own-key';

let fakeModel: ModelProvider;
let platform: Platform;
let company: TestCompany;

beforeAll(async () => {
  fakeModel = await startModelProvider({ apiKey: KEY });
  platform = await Platform.shared([
    'accounts',
    'traffic',
    'agents',
    'workflows',
    'monitors',
    'test-runs',
    'training',
    'gateway',
  ]);
  company = await platform.company();
  const provider = { provider_name: 'outside', kind: 'openai_compatible', base_url: fakeModel.url, api_key: KEY };
  const { id } = await data('POST', '/models/providers', provider);
  for (const model_name of ['small', 'large']) await data('POST', '/models', { model_name, provider_id: id });
}, 90_000);
afterAll(async () => {
  await platform.stop();
  await fakeModel.close();
});

type Json = Record<string, unknown>;

const send = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
  platform.api(company.key).send<Json>(method, path, body, headers);

const data = (method: string, path: string, body?: object): Promise<Json & { id: number }> =>
  platform.api(company.key).data(method, path, body);

/** The body of the provider's latest request. */
async function asked(call: object, headers: Record<string, string> = {}): Promise<Json> {
  const messages = [{ role: 'user', content: 'hello' }];
  const reply = await send('POST', '/chat/completions', { messages, ...call }, headers);
  expect(reply.status).toBe(200);
  return fakeModel.calls.at(-1)?.body as Json;
}

describe('a configuration over HTTP', () => {
  it('is inherited by the provider call from the application, the group and the intent, and can be removed', async () => {
    const app = await data('POST', '/applications', {
      application_name: 'Shop',
      config: { model: 'small', temperature: 0.1, stop: ['END'], reasoning_effort: 'low' },
    });
    const headers = { 'X-Service-Application': 'shop', 'X-Service-Intent': 'refund' };
    expect(await asked({}, headers)).toMatchObject({ model: 'small', temperature: 0.1, stop: ['END'] });
    const of = `/applications/${app.id}`;
    const intents = await send('GET', `${of}/intents?search=refund`);
    const [intent] = intents.body.data as { id: number; intent_group_id: number; action_type: string }[];
    const group = `/intent-groups/${intent?.intent_group_id}`;
    const own = `${of}/intents/${intent?.id}`;
    await data('PUT', `${group}/config`, { temperature: 0.2, system_prompt: 'Be brief.' });
    const response_format = { type: 'json_object' };
    const view = await data('PATCH', `${own}/config`, { model: 'large', response_format });
    expect(view).toMatchObject({
      config: { model: 'large', response_format },
      effective_config: { model: 'large', temperature: 0.2, stop: ['END'], timeout_ms: 60_000, safe_mode: false },
      inherited_from: { model: 'intent', temperature: 'intent_group', stop: 'application', safe_mode: 'default' },
    });
    const full = await asked({ max_tokens: 7 }, headers);
    expect(full).toEqual({
      model: 'large',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hello' },
      ],
      max_tokens: 7,
      temperature: 0.2,
      stop: ['END'],
      reasoning_effort: 'low',
      response_format,
      stream: false,
    });
    expect(await asked({ temperature: 1.5 }, headers)).toMatchObject({ temperature: 1.5, model: 'large' });
    expect(await asked({}, { ...headers, 'X-Service-Intent': 'other' })).toMatchObject({ model: 'small' });
    await data('POST', `${own}/config/reset`);
    await data('PUT', `${group}/config`, { system_prompt: null });
    const after = await asked({}, headers);
    expect(after).toMatchObject({ model: 'small', temperature: 0.2, messages: [{ role: 'user' }] });
    const models = await send('GET', `${own}/models?sort=model_name`);
    expect((models.body.data as { model_name: string }[]).map(({ model_name }) => model_name)).toEqual([
      'large',
      'small',
    ]);
    expect(await data('GET', own)).toMatchObject({ request_count: 4 });
    expect(await data('GET', of)).toMatchObject({ request_count: 5, intent_count: 2 });
  });

  it('that contradicts itself is refused with the field that does', async () => {
    const app = await data('POST', '/applications', { application_name: 'Safe' });
    const refused = await send('PUT', `/applications/${app.id}/config`, { safe_mode: true });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({
      details: [{ field: 'safe_mode', message: 'needs apply_corrections' }],
    });
    const schema = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'nothing' } } };
    expect((await send('PUT', `/applications/${app.id}/config`, { response_format: schema })).status).toBe(422);
    const call = { application: 'Safe', messages: [{ role: 'user', content: 'x' }], safe_mode: true };
    const chat = await send('POST', '/chat/completions', call);
    expect(chat).toMatchObject({
      status: 400,
      body: { error: { type: 'invalid_request_error', code: 'invalid_body' } },
    });
    await data('PUT', `/applications/${app.id}/config`, { safe_mode: true, apply_corrections: true });
  });

  it('is audited, and an application can be deleted by force in the query or in the body', async () => {
    for (const [query, body] of [
      ['?force=true', undefined],
      ['', { force: true }],
    ] as const) {
      const app = await data('POST', '/applications', { application_name: `Gone ${query}` });
      await data('PUT', `/applications/${app.id}/config`, { n: 2 });
      const agent = await data('POST', '/agents', { application_id: app.id, agent_name: 'Helper' });
      expect((await send('DELETE', `/applications/${app.id}`)).status).toBe(409);
      expect(await data('DELETE', `/applications/${app.id}${query}`, body)).toEqual({ id: app.id, deleted: true });
      expect(await data('GET', `/agents/${agent.id}`)).toMatchObject({ application_id: null });
      const entries = await eventually('the audit entries', async () => {
        const reply = await send('GET', `/audit-log?resource_type=application&resource_id=${app.id}&sort=id`);
        const actions = (reply.body.data as { action: string }[]).map(({ action }) => action);
        return actions.length === 3 ? actions : undefined;
      });
      expect(entries).toEqual(['create', 'update', 'delete']);
    }
  });
});
