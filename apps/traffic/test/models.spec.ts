import { applications, models, operator, providers } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { ask, KEY, LIST, newModel, newProvider, refusal, startTraffic, type Traffic, withModel } from './traffic.js';

let traffic: Traffic;
beforeAll(async () => {
  traffic = await startTraffic({ agents: true });
}, 60_000);
afterAll(() => traffic.stop());

const { endpoints: m } = models;
const { endpoints: p } = providers;
const { endpoints: a } = applications;

describe('built-in model', () => {
  it('exists for a company of any age, once, also with concurrent first calls', async () => {
    const { platform } = traffic;
    const { companyId } = await platform.company();
    const caller = () => platform.caller(companyId);
    const pages = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 ? platform.bus.call(m.listModels, LIST, caller()) : platform.bus.call(p.listProviders, LIST, caller()),
      ),
    );
    expect(pages.map(({ pagination }) => pagination.total)).toEqual(Array(20).fill(1));
    const model = await platform.bus.call(m.getModel, { model_id: 'simulated-echo' }, caller());
    expect(model).toMatchObject({ provider_name: 'simulated', built_in: true, company_owned: false });
    expect(await platform.bus.call(m.getModel, { model_id: String(model.id) }, caller())).toEqual(model);
  });

  it('and its provider cannot be changed, switched off or deleted', async () => {
    const { platform } = traffic;
    const { companyId } = await platform.company();
    const caller = () => platform.caller(companyId);
    const model = await platform.bus.call(m.getModel, { model_id: 'simulated-echo' }, caller());
    const { id: model_id, provider_id } = model;
    for (const change of [
      platform.bus.call(m.updateModel, { model_id, display_name: 'x' }, caller()),
      platform.bus.call(m.disableModel, { model_id }, caller()),
      platform.bus.call(m.deleteModel, { model_id }, caller()),
      platform.bus.call(p.updateProvider, { provider_id, timeout_ms: 100 }, caller()),
      platform.bus.call(p.deleteProvider, { provider_id }, caller()),
    ])
      expect((await refusal(change)).status).toBe(403);
    expect(await platform.bus.call(m.getModel, { model_id: 'simulated-echo' }, caller())).toEqual(model);
  });
});

describe('the list for clients without pages', () => {
  it('has the names of all enabled models in one reply, whatever the limit', async () => {
    const { platform } = traffic;
    const { companyId, provider } = await withModel(traffic);
    await platform.sql.query(
      `INSERT INTO traffic.models (company_id, model_name, display_name, provider_id, provider_model, model_type, status)
       SELECT $1, 'many-' || n, 'n', $2, 'n', 'BASE', CASE WHEN n % 5 = 0 THEN 'DISABLED' ELSE 'ENABLED' END FROM generate_series(1, 250) n`,
      [companyId, provider.id],
    );
    const { data } = await platform.bus.call(m.listEnabledModels, { ...LIST, limit: 1 }, platform.caller(companyId));
    expect(data.length).toBe(2 + 200);
    expect(data).toContainEqual({ model_name: 'many-1', provider_name: 'outside', date_created: expect.any(Number) });
    expect(data.map(({ model_name }) => model_name)).not.toContain('many-5');
  });
});

describe('providers and models', () => {
  it('are created, changed, switched and deleted, and tell of it', async () => {
    const { platform } = traffic;
    const { companyId, provider, model } = await withModel(traffic);
    const caller = () => platform.caller(companyId);
    expect(model).toMatchObject({
      provider_name: 'outside',
      display_name: 'm',
      provider_model: 'm',
      company_owned: true,
    });
    expect((await refusal(platform.bus.call(m.createModel, newModel('m', provider.id), caller()))).status).toBe(409);
    const changed = await platform.bus.call(m.updateModel, { model_id: model.id, context_window: 8000 }, caller());
    expect(changed).toMatchObject({ context_window: 8000, input_price_per_mtok: 1 });
    expect((await platform.bus.call(m.disableModel, { model_id: model.id }, caller())).status).toBe('DISABLED');
    const enabled = await platform.bus.call(m.listModels, { ...LIST, status: 'ENABLED' as const }, caller());
    expect(enabled.data.map(({ model_name }) => model_name)).toEqual(['simulated-echo']);
    await platform.bus.call(m.enableModel, { model_id: model.id }, caller());
    const refused = await refusal(platform.bus.call(p.deleteProvider, { provider_id: provider.id }, caller()));
    expect(refused).toMatchObject({ status: 409, message: 'provider outside still has models' });
    await platform.bus.call(m.deleteModel, { model_id: model.id }, caller());
    await platform.bus.call(p.deleteProvider, { provider_id: provider.id }, caller());
    await platform.bus.call(p.createProvider, newProvider('https://api.example.com/v1'), caller());
    const events = await platform.sql.query<{ event: string }>(
      `SELECT payload::jsonb->>'event' AS event FROM traffic.outbox WHERE company_id = $1 AND subject LIKE 'events.%' ORDER BY id`,
      [companyId],
    );
    expect(events.rows.map(({ event }) => event)).toEqual([
      'model_provider.created',
      'model.created',
      'model.updated',
      'model.disabled',
      'model.enabled',
      'model.deleted',
      'model_provider.deleted',
      'model_provider.created',
    ]);
  });

  it('never end as a model without a provider, however deletion and creation meet', async () => {
    const { platform } = traffic;
    const { companyId } = await platform.company();
    const caller = () => platform.caller(companyId);
    for (let round = 0; round < 10; round++) {
      const { id } = await platform.bus.call(p.createProvider, newProvider('https://api.example.com/v1'), caller());
      const [made, gone] = await Promise.all([
        refusal(platform.bus.call(m.createModel, newModel(`race-${round}`, id), caller())),
        refusal(platform.bus.call(p.deleteProvider, { provider_id: id }, caller())),
      ]);
      expect([`200,409`, `404,200`]).toContain(`${made.status},${gone.status}`);
      if (made.status !== 200) continue;
      const model = await platform.bus.call(m.getModel, { model_id: `race-${round}` }, caller());
      await platform.bus.call(m.deleteModel, { model_id: model.id }, caller());
      await platform.bus.call(p.deleteProvider, { provider_id: id }, caller());
    }
  });

  it('keep keys and authorization-like headers to themselves', async () => {
    const { platform, world } = traffic;
    const { companyId } = await platform.company();
    const caller = () => platform.caller(companyId);
    const secret = 'header-canary-5f1e';
    const made = await platform.bus.call(
      p.createProvider,
      { ...newProvider(world.url), api_key: KEY, default_headers: { 'X-Api-Key': secret, 'x-team': 'a' } },
      caller(),
    );
    expect(made).toMatchObject({
      api_key_set: true,
      api_key_last4: 'efgh',
      default_headers: { 'X-Api-Key': '[secret]', 'x-team': 'a' },
    });
    const headers = { 'X-Api-Key': '[secret]', 'x-team': 'b' };
    await platform.bus.call(p.updateProvider, { provider_id: made.id, default_headers: headers }, caller());
    expect(await platform.bus.call(p.testProvider, { provider_id: made.id }, caller())).toMatchObject({
      ok: true,
      models: ['fake-model'],
    });
    expect(world.calls.at(-1)?.headers).toMatchObject({
      'x-api-key': secret,
      'x-team': 'b',
      authorization: `Bearer ${KEY}`,
    });
    const stored = await platform.sql.query(
      `SELECT (SELECT string_agg(to_jsonb(t)::text, ' ') FROM traffic.providers t)
         || (SELECT string_agg(payload, ' ') FROM traffic.outbox) AS text`,
    );
    const all = `${stored.rows[0].text} ${await platform.logOf('traffic')} ${await platform.logOf('accounts')}`;
    for (const canary of [KEY, secret]) {
      expect(all).not.toContain(canary);
      expect(all).not.toContain(Buffer.from(canary).toString('hex'));
      expect(all).not.toContain(Buffer.from(canary).toString('base64').slice(0, 20));
    }
    const removed = await platform.bus.call(p.updateProvider, { provider_id: made.id, api_key: null }, caller());
    expect(removed).toMatchObject({ api_key_set: false, api_key_last4: null, default_headers: headers });
  });

  it('follow their provider to no other host', async () => {
    const { platform, world } = traffic;
    const { companyId } = await platform.company();
    const caller = () => platform.caller(companyId);
    const default_headers = { 'X-Api-Key': 'header-canary', 'x-team': 'a' };
    const { id: provider_id } = await platform.bus.call(
      p.createProvider,
      { ...newProvider(world.url), api_key: KEY, default_headers },
      caller(),
    );
    const update = (change: object) => platform.bus.call(p.updateProvider, { provider_id, ...change }, caller());
    const base_url = 'https://elsewhere.example/v1';
    const sentBack = { ...default_headers, 'X-Api-Key': '[secret]' };
    const refused = [
      [{ base_url }, 'api_key'],
      [{ base_url, api_key: 'another-key' }, 'default_headers'],
      [{ base_url, api_key: 'another-key', default_headers: sentBack }, 'default_headers'],
    ] as const;
    for (const [change, field] of refused)
      expect(await refusal(update(change))).toMatchObject({
        status: 400,
        message: expect.stringContaining(field),
      });
    expect(await update({ base_url: `${world.url}/other` })).toMatchObject({ api_key_set: true });
    expect(await update({ base_url, api_key: 'another-key', default_headers })).toMatchObject({ base_url });
  });

  it('are tested with a chat that a model which refuses max_tokens answers', async () => {
    const { platform, world } = traffic;
    const { companyId, provider } = await withModel(traffic);
    const refusal = { error: { status: 400, message: "Unsupported parameter: 'max_tokens'" } };
    world.answerWith((request) => ('max_tokens' in request ? refusal : 'OK'));
    const test = { provider_id: provider.id, model: 'o-model' };
    expect(await platform.bus.call(p.testProvider, test, platform.caller(companyId))).toMatchObject({ ok: true });
  });

  it('are created once for an idempotent repeat', async () => {
    const { platform, world } = traffic;
    const { companyId } = await platform.company();
    const idempotency = { key: 'k', route: 'POST /models/providers', bodyHash: 'h' };
    // The names differ, so that it is the claim that refuses a second provider and not its name.
    const create = (provider_name: string) =>
      platform.bus.call(
        p.createProvider,
        { ...newProvider(world.url), provider_name },
        platform.caller(companyId, { idempotency }),
      );
    expect(await create('first')).toEqual(await create('repeat'));
    const { rows } = await platform.sql.query<{ provider_name: string }>(
      'SELECT provider_name FROM traffic.providers WHERE company_id = $1 AND built_in = false',
      [companyId],
    );
    expect(rows).toHaveLength(1);
  });

  it('accept http only where the operator allows it, for all or for the company', async () => {
    const { platform, world } = traffic;
    const { companyId } = await platform.company();
    const caller = () => platform.caller(companyId);
    const create = (url: string, provider_name: string) =>
      refusal(platform.bus.call(p.createProvider, { ...newProvider(url), provider_name }, caller()));
    expect((await create('http://10.1.2.3:9000/v1', 'private')).status).toBe(400);
    expect((await create('http://api.example.com/v1', 'public')).status).toBe(400);
    expect((await create(world.url, 'operator')).status).toBe(200);
    await platform.bus.call(
      operator.endpoints.setEgressAllow,
      { company_id: companyId, allow: ['10.1.0.0/16'] },
      caller(),
    );
    await eventually('the company may reach its network', async () => {
      return (await create('http://10.1.2.3:9000/v1', 'private')).status === 200;
    });
  });

  it('are available when they and their provider are on and have a key', async () => {
    const { platform } = traffic;
    const { companyId, provider } = await withModel(traffic);
    const caller = () => platform.caller(companyId);
    const names = async () =>
      (await platform.bus.call(m.listAvailableModels, LIST, caller())).data.map(({ model_name }) => model_name);
    expect(await names()).toEqual(['m', 'simulated-echo']);
    await platform.bus.call(p.updateProvider, { provider_id: provider.id, api_key: null }, caller());
    expect(await names()).toEqual(['simulated-echo']);
    expect(await platform.bus.call(p.testProvider, { provider_id: provider.id }, caller())).toMatchObject({
      ok: false,
      failure_class: 'provider',
      message: 'provider outside has no API key',
    });
    await platform.bus.call(p.updateProvider, { provider_id: provider.id, api_key: KEY, status: 'DISABLED' }, caller());
    expect(await names()).toEqual(['simulated-echo']);
  });
});

describe('tenancy', () => {
  it('answers the ids of another company like unknown ones, and changes nothing', async () => {
    const { platform } = traffic;
    const { companyId, provider, model } = await withModel(traffic);
    const app = await platform.bus.call(
      a.createApplication,
      { application_name: 'Mine', state: 'ENABLED', meta: {} },
      platform.caller(companyId),
    );
    const stranger = (await platform.company()).companyId;
    const caller = () => platform.caller(stranger);
    const attempts = (provider_id: number, model_id: number, application_id: number) => [
      platform.bus.call(p.getProvider, { provider_id }, caller()),
      platform.bus.call(p.updateProvider, { provider_id, timeout_ms: 100 }, caller()),
      platform.bus.call(p.deleteProvider, { provider_id }, caller()),
      platform.bus.call(p.testProvider, { provider_id }, caller()),
      platform.bus.call(m.createModel, newModel('x', provider_id), caller()),
      platform.bus.call(m.getModel, { model_id: String(model_id) }, caller()),
      platform.bus.call(m.updateModel, { model_id, display_name: 'x' }, caller()),
      platform.bus.call(m.enableModel, { model_id }, caller()),
      platform.bus.call(m.disableModel, { model_id }, caller()),
      platform.bus.call(m.deleteModel, { model_id }, caller()),
      platform.bus.call(a.getApplication, { application_id }, caller()),
      platform.bus.call(a.updateApplication, { application_id, description: 'x' }, caller()),
      platform.bus.call(a.deleteApplication, { application_id }, caller()),
      ask(traffic, stranger, 'x', { application_id }),
    ];
    const foreign = await Promise.all(attempts(provider.id, model.id, app.id).map(refusal));
    const unknown = await Promise.all(attempts(2_000_000_000, 2_000_000_000, 2_000_000_000).map(refusal));
    expect(foreign.map(({ status }) => status)).toEqual(foreign.map(() => 404));
    expect(foreign).toEqual(unknown);
    expect(await refusal(platform.bus.call(m.getModel, { model_id: 'm' }, caller()))).toMatchObject({ status: 404 });
    const own = platform.caller(companyId);
    expect(await platform.bus.call(p.getProvider, { provider_id: provider.id }, own)).toEqual(provider);
    expect(await platform.bus.call(m.getModel, { model_id: 'm' }, platform.caller(companyId))).toEqual(model);
  });
});

describe('applications', () => {
  it('have a reference name that is unique, never changes and is free again after deletion', async () => {
    const { platform } = traffic;
    const { companyId } = await platform.company();
    const caller = () => platform.caller(companyId);
    const body = { application_name: 'Help Desk', state: 'ENABLED' as const, meta: { a: 1 } };
    const made = await platform.bus.call(a.createApplication, body, caller());
    expect(made).toMatchObject({ application_ref_name: 'help-desk', description: null, meta: { a: 1 } });
    expect((await refusal(platform.bus.call(a.createApplication, body, caller()))).status).toBe(409);
    const changed = await platform.bus.call(
      a.updateApplication,
      { application_id: made.id, application_name: 'Other', state: 'DISABLED' },
      caller(),
    );
    expect(changed).toMatchObject({ application_name: 'Other', application_ref_name: 'help-desk', state: 'DISABLED' });
    const page = await platform.bus.call(a.listApplications, { ...LIST, state: 'DISABLED' as const }, caller());
    expect(page.data).toEqual([changed]);
    expect(await refusal(ask(traffic, companyId, 'x', { application_id: made.id }))).toMatchObject({
      status: 409,
      code: 'application_disabled',
    });
    await platform.bus.call(a.deleteApplication, { application_id: made.id }, caller());
    expect((await refusal(ask(traffic, companyId, 'x', { application_id: made.id }))).status).toBe(404);
    expect((await platform.bus.call(a.createApplication, body, caller())).id).not.toBe(made.id);
  });
});
