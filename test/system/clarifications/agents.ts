import { eventually } from '@signalbox/testing';
import { agent, app, create, platform, type Row, send, outcomeOf, fakeModel } from './setup.js';

describe('lists', () => {
  it('of agents are filtered by mode and model', async () => {
    await create('/agents', { application_id: app.id, agent_name: 'Router', execution_mode: 'route' });
    const found = async (query: string) =>
      ((await send('GET', `/agents?${query}`)).body.data as Row[]).map((row) => row['agent_name']);
    expect(await found('execution_mode=route')).toEqual(['Router']);
    expect(await found('model=m')).toEqual(['Helper']);
  });

  it('of parts are in the order of their positions', async () => {
    for (const field_key of ['a', 'b', 'c'])
      await create(`/agents/${agent.id}/form-fields`, {
        field_key,
        label: field_key,
        field_type: 'string',
        position: 0,
      });
    const keys = async (query: string) =>
      ((await send('GET', `/agents/${agent.id}/form-fields${query}`)).body.data as Row[]).map(
        (row) => row['field_key'],
      );
    expect(await keys('')).toEqual(['c', 'b', 'a']);
    expect(await keys('?sort=id')).toEqual(['a', 'b', 'c']);
  });
});

describe('agents', () => {
  it('that an intent names are deleted by force alone, which unbinds it', async () => {
    const intent = await create(`/applications/${app.id}/intents`, { action_type: 'refund', agent_id: agent.id });
    const refused = await send('DELETE', `/agents/${agent.id}`);
    expect(refused.status).toBe(409);
    expect(JSON.stringify(refused.body)).toContain(String(intent.id));
    expect((await send('DELETE', `/agents/${agent.id}?force=true`)).status).toBe(200);
    expect((await send('GET', `/applications/${app.id}/intents/${intent.id}`)).body.data as Row).toMatchObject({
      agent_id: null,
    });
  });

  it('of an application that is deleted with force have none, and can be bound again', async () => {
    expect((await send('DELETE', `/applications/${app.id}`)).status).toBe(409);
    expect((await send('DELETE', `/applications/${app.id}?force=true`)).status).toBe(200);
    expect((await send('GET', `/agents/${agent.id}`)).body.data as Row).toMatchObject({ application_id: null });
    const other = await create('/applications', { application_name: 'Other' });
    expect((await send('PUT', `/agents/${agent.id}`, { application_id: other.id })).status).toBe(200);
    expect(outcomeOf(await send('PUT', `/agents/${agent.id}`, { application_id: app.id }))).toEqual([
      400,
      'application_id cannot be changed',
    ]);
  });

  it('that can never run are not published', async () => {
    await create(`/agents/${agent.id}/actions`, { action_name: 'a', action_type: 'llm', description: 'd' });
    expect((await send('POST', `/agents/${agent.id}/versions`, { increment: 'minor' })).status).toBe(422);
  });

  it('name models that exist', async () => {
    const replies = await Promise.all([
      send('PUT', `/agents/${agent.id}`, { model: 'no' }),
      send('PUT', `/agents/${agent.id}`, { agent_config: { steps: { respond: { model: 'no' } } } }),
      send('PUT', `/applications/${app.id}/config`, { model: 'no' }),
      send('PUT', `/applications/${app.id}/config`, { fallback_config: { model: 'no', strategy: 'reactive' } }),
      send('PUT', '/company', { settings: { default_model: 'no' } }),
    ]);
    expect(replies.map(({ status, body }) => [status, (body.error?.details ?? []).length])).toEqual(
      replies.map(() => [404, 1]),
    );
    expect((await send('PUT', `/agents/${agent.id}`, { agent_config: { temperature: 'hot' } })).status).toBe(400);
  });

  it('are versioned, and latest is accepted wherever a version is named', async () => {
    await create(`/agents/${agent.id}/versions`, { increment: 'minor' });
    expect((await send('GET', `/agents/${agent.id}/versions/latest`)).status).toBe(200);
    expect((await send('GET', `/agents/${agent.id}/export?version=latest`)).status).toBe(200);
    expect((await send('POST', `/agents/${agent.id}/invoke`, { message: 'x', version: 'latest' })).status).toBe(200);
    expect((await send('POST', `/agents/${agent.id}/versions/latest/restore`, {})).status).toBe(200);
    const release = await create(`/agents/${agent.id}/releases`, { name: 'prod', version: 'latest' });
    expect(release).toMatchObject({ version_number: '1.0.0' });
    expect((await send('PUT', `/agents/${agent.id}/releases/prod`, { name: 'live' })).body.data).toMatchObject({
      name: 'live',
    });
    expect((await send('POST', `/agents/${agent.id}/releases/live/check`, { version: 'latest' })).status).toBe(200);
    expect((await send('GET', `/agents/${agent.id}/versions/diff?from=latest`)).status).toBe(200);
  });

  it('refuse an unmet gate with one detail per condition', async () => {
    await create(`/agents/${agent.id}/versions`, { increment: 'minor' });
    const { id: test_set_id } = await create('/unified-test-sets', { name: 'Golden' });
    const gate_policy = { test_set_id, min_match_rate: 0.9, max_age_ms: 3_600_000 };
    const reply = await send('POST', `/agents/${agent.id}/releases`, { name: 'prod', version: '1.0.0', gate_policy });
    expect([reply.status, reply.body.error?.details?.map(({ field }) => field)]).toEqual([409, ['test_run']]);
  });
});

describe('a callback', () => {
  it('without a body is refused, and its hook stays open', async () => {
    const config = { mode: 'callback', endpoint: `${fakeModel.url}/models?to={{callback_url}}`, method: 'GET' };
    await create(`/agents/${agent.id}/actions`, {
      action_name: 'wait',
      action_type: 'webhook',
      description: 'd',
      action_config: config,
      is_default: true,
    });
    fakeModel.answerWith(({ messages }) =>
      messages.at(-1)?.role === 'tool' ? 'done' : { toolCalls: [{ name: 'wait', arguments: {} }] },
    );
    const waiting = await create(`/agents/${agent.id}/invoke`, { message: 'x' });
    expect(waiting).toMatchObject({ status: 'WAITING_WEBHOOK' });
    const { searchParams } = new URL(fakeModel.calls.at(-1)?.path ?? '', fakeModel.url);
    const hook = `/hooks/agents/${searchParams.get('to')?.split('/').at(-1)}`;
    const post = (body: string) => platform.api().send('POST', hook, body);
    expect((await post('')).status).toBe(400);
    expect((await post('{}')).status).toBe(200);
  });
});

describe('an import', () => {
  it('reports a model that does not exist and leaves it unset, and is audited as import', async () => {
    const agents = [{ name: 'Imported', model: 'no' }];
    const imported = await create('/agents/import', { application: { ref_name: 'shop', name: 'Shop' }, agents });
    const [{ id, warnings }] = imported['agents'] as [Row & { warnings: object[] }];
    expect(warnings).toMatchObject([{ path: 'agents[0].model' }]);
    expect((await send('GET', `/agents/${id}`)).body.data).toMatchObject({ model: null });
    const entry = await eventually('the import is audited', async () => {
      const { body } = await send('GET', '/audit-log?action=import');
      return (body.data as Row[])[0];
    });
    expect(entry).toMatchObject({ resource_type: 'agent', resource_id: String(id) });
  });
});
