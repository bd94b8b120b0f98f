import { agent, app, key, create, platform, type Row, send, outcomeOf, fakeModel } from './setup.js';

describe('ids of paths', () => {
  it.each([
    ['/agents/abc', 400],
    ['/agents/99999999', 404],
    ['/requests/not-a-uuid', 400],
    ['/requests/00000000-0000-4000-8000-000000000000', 404],
    ['/sessions/unknown', 404],
    ['/models/unknown', 404],
    ['/agents/tasks/nope', 400],
    ['/agents/tasks/00000000-0000-4000-8000-000000000000', 404],
    ['/audit-log?offset=-1', 400],
  ])('%s is %i', async (path, status) => {
    expect((await send('GET', path)).status).toBe(status);
  });
});

describe('schemas', () => {
  const bad = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'nonsense' } } };
  it('that are not valid are refused with 422 wherever they are written', async () => {
    const messages = [{ role: 'user', content: 'x' }];
    const statuses = await Promise.all([
      send('POST', '/chat/completions', { model: 'm', messages, response_format: bad }),
      send('POST', `/agents/${agent.id}/invoke`, { message: 'x', response_format: bad }),
      send('PUT', `/agents/${agent.id}`, { response_format: bad }),
      send('PUT', `/applications/${app.id}/config`, { response_format: bad }),
      send('POST', `/agents/${agent.id}/actions`, {
        action_name: 'a',
        action_type: 'llm',
        description: 'd',
        action_config: { prompt: 'x', response_format: bad },
      }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422]);
  });
});

describe('messages of errors', () => {
  it.each([
    ['PUT', '/agents/{agent}', { id: 7 }, 400, 'id is read-only'],
    ['PUT', '/agents/{agent}', { application_id: 7 }, 400, 'application_id cannot be changed'],
    ['PUT', '/agents/{agent}', { colour: 7 }, 400, 'colour is not a known field'],
    ['PUT', '/agents/{agent}', { colour: 7, flavour: 1 }, 400, expect.stringMatching(/\(and 1 more\)$/)],
    ['GET', '/agents?sort=colour', undefined, 400, expect.stringMatching(/agent_name|date_created/)],
    ['GET', '/agents?status=GREEN', undefined, 400, expect.stringContaining('status')],
    ['GET', '/requests?request_type=NO', undefined, 400, expect.stringContaining('request_type')],
    ['GET', '/agents/tasks?status=NO', undefined, 400, expect.stringContaining('status')],
    ['GET', '/audit-log?action=shout', undefined, 400, expect.stringContaining('action')],
    ['GET', '/audit-log?resource_type=thing', undefined, 400, expect.stringContaining('resource_type')],
    ['PUT', '/applications/{app}', { application_ref_name: 'x' }, 400, 'application_ref_name cannot be changed'],
    ['PUT', '/applications/{app}', { company_id: 1 }, 400, expect.stringContaining('company_id')],
  ])('%s %s: %j', async (method, path, body, status, message) => {
    expect(
      outcomeOf(await send(method, path.replace('{agent}', `${agent.id}`).replace('{app}', `${app.id}`), body)),
    ).toEqual([status, message]);
  });

  it('read comma lists as lists', async () => {
    const { status } = await send('GET', '/agents/tasks?status=FAILED,COMPLETED&error_code=timeout,interrupted');
    expect(status).toBe(200);
  });

  it('name the field of an invocation that fails with 422', async () => {
    fakeModel.answerWith(() => ({ text: 'x' }));
    const schema = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } };
    const reply = await send('POST', `/agents/${agent.id}/invoke`, { message: 'x', response_format: schema });
    expect([reply.status, reply.body.error?.details?.[0]?.field]).toEqual([422, 'output_schema']);
  });
});

describe('keys', () => {
  it('in Bearer count on completions and models alone', async () => {
    const bearer = async (path: string) =>
      (await fetch(platform.baseUrl + path, { headers: { authorization: `Bearer ${key()}` } })).status;
    expect(await Promise.all(['/models', '/models/m', '/agents', '/company', '/models/providers'].map(bearer))).toEqual(
      [200, 200, 401, 401, 401],
    );
  });

  it('of a wrong form on an unknown path are 401', async () => {
    expect((await send('GET', '/nowhere', undefined, { 'X-Service-Api-Key': 'wrong' })).status).toBe(401);
  });

  it('cannot expire in the past, nor be rotated twice, and keep their expiry', async () => {
    expect((await send('POST', '/api-keys', { name: 'k', scopes: ['read'], expires_at: 5 })).status).toBe(400);
    const expires_at = Date.now() + 3_600_000;
    const key = await create('/api-keys', { name: 'k', scopes: ['read'], expires_at });
    const next = await create(`/api-keys/${key.id}/rotate`, { grace_seconds: 600 });
    expect(next['expires_at']).toBe(expires_at);
    expect((await send('POST', `/api-keys/${key.id}/rotate`, { grace_seconds: 600 })).status).toBe(409);
  });

  it.each(['', 'x'.repeat(256)])('of idempotency that are malformed are 400', async (given) => {
    expect((await send('POST', '/applications', { application_name: 'N' }, { 'Idempotency-Key': given })).status).toBe(
      400,
    );
  });
});

describe('completions', () => {
  it.each([[{ role: 'user' }], [{ role: 'assistant' }], [{ role: 'tool', content: 'x' }]])(
    'refuse the message %j',
    async (message) => {
      expect((await send('POST', '/chat/completions', { model: 'm', messages: [message] })).status).toBe(400);
    },
  );

  it('of simulated-echo count the tokens of all messages, and its model is trainable', async () => {
    expect((await send('GET', '/models/simulated-echo')).body.data).toMatchObject({ trainable: true });
    const messages = [
      { role: 'system', content: 'a b c d' },
      { role: 'user', content: 'e f' },
    ];
    const both = (await send('POST', '/chat/completions', { model: 'simulated-echo', messages })).body as unknown as {
      usage: { prompt_tokens: number };
    };
    const one = (await send('POST', '/chat/completions', { model: 'simulated-echo', messages: messages.slice(1) }))
      .body as unknown as typeof both;
    expect(both.usage.prompt_tokens).toBeGreaterThan(one.usage.prompt_tokens);
  });

  it('show corrected as null', async () => {
    await send('POST', '/chat/completions', { model: 'm', messages: [{ role: 'user', content: 'x' }] });
    const [request] = (await send('GET', '/requests')).body.data as Row[];
    expect(request).toMatchObject({ origin: 'CHAT', origin_id: null, rerun_of: null });
    const pair = (await send('GET', `/requests/${String(request?.['request_id'])}/response`)).body.data as Row;
    expect(pair['corrected']).toBeNull();
  });
});

describe('the document', () => {
  it('contains itself and the scope of each endpoint', async () => {
    const document = (await (await fetch(`${platform.baseUrl}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, Record<string, unknown>>>;
    };
    for (const path of ['/openapi.json', '/docs', '/asyncapi.json'])
      expect(Object.keys(document.paths)).toContain(path);
    expect(document.paths['/agents']?.['get']?.['x-required-scope']).toBe('read');
    expect((await fetch(platform.baseUrl.replace('/api/v1', '/docs'))).status).toBe(200);
    expect((await fetch(`${platform.baseUrl}/asyncapi.json`)).status).toBe(200);
  });
});
