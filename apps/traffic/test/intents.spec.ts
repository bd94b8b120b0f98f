import { applications, chatSessions, intentGroups, intents, models } from '@signalbox/contracts';
import { Places } from './traffic-client.js';
import { LIST, recorded, refusal, rowsOf, startTraffic, type Traffic, withModel } from './traffic.js';

let traffic: Traffic;
beforeAll(async () => {
  traffic = await startTraffic({ agents: true, monitors: true });
}, 90_000);
afterAll(() => traffic.stop());
beforeEach(() => {
  traffic.world.answerWith(() => 'fine');
  traffic.world.calls.length = 0;
});

const made = async () => {
  const { companyId, model } = await withModel(traffic);
  return { places: new Places(traffic, companyId), companyId, model };
};
const asked = () => traffic.world.calls.at(-1)?.body as Record<string, unknown>;
const { endpoints: i } = intents;
const { endpoints: g } = intentGroups;

describe('names in calls', () => {
  it('are made once, however many calls give them first', async () => {
    const { places, companyId } = await made();
    const call = { model: 'm', application: 'Web Shop', intent: 'Refund' };
    const replies = await Promise.all(Array.from({ length: 50 }, () => places.complete(call)));
    expect(replies).toHaveLength(50);
    const [application, ...others] = await places.applications();
    expect(others).toEqual([]);
    expect(application).toMatchObject({
      application_name: 'Web Shop',
      application_ref_name: 'web-shop',
      intent_count: 1,
      request_count: 50,
    });
    const [group] = await places.groups();
    const [intent] = await places.intents(application!.id);
    expect(intent).toMatchObject({ action_type: 'Refund', intent_group_id: group?.id, request_count: 50 });
    expect(group).toMatchObject({
      intent_group_name: 'Refund',
      application_count: 1,
      intent_count: 1,
      request_count: 50,
      sentinel_count: 0,
      last_activity: application?.last_activity,
    });
    const rows = await rowsOf(traffic, companyId);
    expect(application?.last_activity).toBe(Math.max(...rows.map(({ date_created }) => Number(date_created))));
    expect(new Set(rows.map(({ intent_id, intent_group_id }) => `${intent_id} ${intent_group_id}`))).toEqual(
      new Set([`${intent?.id} ${group?.id}`]),
    );
    for (const family of ['application', 'intent', 'intent_group'])
      expect((await places.events(family)).map(({ event }) => event)).toEqual([`${family}.created`]);
  });

  it('are those of rows under either name, and default where there is none', async () => {
    const { places } = await made();
    const own = await places.bus.call(
      applications.endpoints.createApplication,
      { application_name: 'The Shop', application_ref_name: 'my_shop', state: 'ENABLED', meta: {} },
      places.caller(),
    );
    const { session_id } = await places.complete({ model: 'm', application: 'my_shop' });
    await places.complete({ model: 'm', application: ' The Shop ', intent: 'ask', session_id });
    expect((await places.applications()).map(({ id }) => id)).toEqual([own.id]);
    expect((await places.intents(own.id)).map(({ action_type }) => action_type)).toEqual(['ask', 'default']);
    const session = await places.bus.call(chatSessions.endpoints.getSession, { session_id }, places.caller());
    expect(session.intents.map(({ action_type }) => action_type).sort()).toEqual(['ask', 'default']);
    const [ask] = await places.intents(own.id);
    const of = { ...LIST, application_id: own.id, intent_id: ask!.id };
    expect((await places.bus.call(i.listIntentSessions, of, places.caller())).data).toMatchObject([{ session_id }]);
    expect((await places.bus.call(i.listIntentRequests, of, places.caller())).pagination.total).toBe(1);
    const used = await places.bus.call(i.listIntentModels, of, places.caller());
    expect(used.data.map(({ model_name }) => model_name)).toEqual(['m']);
    const before = { ...of, end_date: ask!.date_created };
    expect((await places.bus.call(i.listIntentModels, before, places.caller())).data).toEqual([]);
  });

  it('are refused when their application is disabled, at once after it was', async () => {
    const { places } = await made();
    await places.complete({ model: 'm' });
    const id = (await places.applications())[0]?.id ?? 0;
    const { updateApplication } = applications.endpoints;
    await places.bus.call(updateApplication, { application_id: id, state: 'DISABLED' }, places.caller());
    expect(await refusal(places.complete({ model: 'm', intent: 'new' }))).toMatchObject({
      status: 409,
      code: 'application_disabled',
    });
    expect((await places.intents(id)).map(({ action_type }) => action_type)).toEqual(['default']);
  });
});

describe('configuration', () => {
  it('is inherited by intents from their group and application, field by field, and reaches the provider', async () => {
    const { places, companyId } = await made();
    const app = await places.application('Shop', { temperature: 0.1, top_p: 0.1, max_tokens: 11, model: 'm' });
    const intent = await places.intent(app.id, 'ask');
    await places.configureGroup(intent.intent_group_id, { top_p: 0.2, max_tokens: 12, system_prompt: 'be brief' });
    const view = await places.configureIntent(app.id, intent.id, { max_tokens: 13, metadata: { plan: 'free', a: 1 } });
    expect(view).toMatchObject({
      config: { max_tokens: 13 },
      effective_config: { temperature: 0.1, top_p: 0.2, max_tokens: 13, n: 1, timeout_ms: 60_000 },
      inherited_from: { temperature: 'application', top_p: 'intent_group', max_tokens: 'intent', n: 'default' },
    });
    const { request_id } = await places.complete({ application: 'Shop', intent: 'ask', metadata: { a: 2 } });
    expect(asked()).toMatchObject({ model: 'm', temperature: 0.1, top_p: 0.2, max_tokens: 13 });
    expect(asked()).not.toHaveProperty('n');
    expect(asked().messages).toEqual([
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'hello' },
    ]);
    const [row] = await recorded(traffic, companyId, 1);
    expect(row).toMatchObject({ request_id, metadata: { plan: 'free', a: 2 } });
    await places.configureGroup(intent.intent_group_id, { top_p: null });
    await places.complete({ application: 'Shop', intent: 'ask', temperature: 0 });
    expect(asked()).toMatchObject({ temperature: 0, top_p: 0.1 });
    await places.bus.call(i.resetIntentConfig, { application_id: app.id, intent_id: intent.id }, places.caller());
    await places.complete({ application: 'Shop', intent: 'ask' });
    expect(asked()).toMatchObject({ max_tokens: 12 });
    expect((await places.events('intent')).slice(1)).toMatchObject([
      { event: 'intent.config_updated', data: { changed: ['max_tokens', 'metadata'] } },
      { event: 'intent.config_updated', data: { changed: ['max_tokens', 'metadata'] } },
    ]);
    expect(JSON.stringify(await places.events('intent_group'))).not.toContain('be brief');
  });

  it('limits how long a model may take, and names the fallback', async () => {
    const { places } = await made();
    const app = await places.application('Shop', { model: 'm', timeout_ms: 300 });
    traffic.world.answerWith(() => ({ hang: true }));
    expect((await refusal(places.complete({ application: 'Shop' }))).status).toBe(504);
    const fallback_config = { model: 'simulated-echo', strategy: 'reactive' as const, timeout_ms: 10_000 };
    await places.configureApplication(app.id, { fallback_config });
    const reply = await places.complete({ application: 'Shop' });
    expect(reply).toMatchObject({ fallback_used: true, model: 'simulated-echo' });
  });

  it('that contradicts itself or names no model is refused whole', async () => {
    const { places } = await made();
    const app = await places.application('Shop', { evaluation_enabled: false });
    const intent = await places.intent(app.id, 'ask');
    const refused = await refusal(places.configureIntent(app.id, intent.id, { apply_corrections: true }));
    expect(refused).toMatchObject({ status: 400 });
    expect((await refusal(places.configureApplication(app.id, { safe_mode: true }))).status).toBe(400);
    expect(await refusal(places.configureApplication(app.id, { model: 'none' }))).toMatchObject({
      status: 404,
      message: 'model none not found',
    });
    expect((await refusal(places.application('Other', { model: 'none' }))).status).toBe(404);
    expect(await refusal(places.intent(app.id, 'new', { config: { apply_corrections: true } }))).toMatchObject({
      status: 400,
    });
    expect((await places.readApplication(app.id)).config).toEqual({ evaluation_enabled: false });
    expect((await places.events('application')).map(({ event }) => event)).toEqual(['application.created']);
    expect((await places.groups()).map(({ intent_group_name }) => intent_group_name)).toEqual(['ask']);
  });

  it('keeps the models that it names', async () => {
    const { places, model } = await made();
    const drop = () => refusal(places.bus.call(models.endpoints.deleteModel, { model_id: model.id }, places.caller()));
    const app = await places.application('Shop', { model: 'm' });
    expect(await drop()).toMatchObject({ status: 409, message: expect.stringContaining(`application ${app.id}`) });
    await places.configureApplication(app.id, { model: null });
    const intent = await places.intent(app.id, 'ask');
    const fallback_config = { model: 'm', strategy: 'timeout' as const, timeout_ms: 1000 };
    await places.configureGroup(intent.intent_group_id, { fallback_config });
    expect((await drop()).status).toBe(409);
    const of = { ...LIST, intent_group_id: intent.intent_group_id };
    const used = await places.bus.call(g.listIntentGroupModels, of, places.caller());
    expect(used.data.map(({ model_name }) => model_name)).toEqual(['m']);
    await places.configureGroup(intent.intent_group_id, { fallback_config: null });
    const agent = await places.agent(app.id, 'Helper', 'm');
    expect(await drop()).toMatchObject({ status: 409, message: 'model m is used by an agent' });
    expect(agent.model).toBe('m');
  });
});

describe('intents and groups', () => {
  it('have unique names, and a group goes after its intents', async () => {
    const { places } = await made();
    const [shop, desk] = [await places.application('Shop'), await places.application('Desk')];
    const byHand = { intent_group_name: 'ask', description: 'by hand' };
    const group = await places.bus.call(g.createIntentGroup, byHand, places.caller());
    expect((await refusal(places.bus.call(g.createIntentGroup, byHand, places.caller()))).status).toBe(409);
    const one = await places.intent(shop.id, 'ask');
    const other = await places.intent(desk.id, 'ask');
    expect([one.intent_group_id, other.intent_group_id]).toEqual([group.id, group.id]);
    expect((await refusal(places.intent(shop.id, 'ask'))).status).toBe(409);
    expect((await places.intent(shop.id, 'Ask')).intent_group_id).not.toBe(group.id);
    expect((await places.groups()).at(-1)).toMatchObject({ application_count: 2, intent_count: 2 });
    const below = (application_id: number) => ({ application_id, intent_id: one.id });
    expect((await refusal(places.bus.call(i.getIntent, below(desk.id), places.caller()))).status).toBe(404);
    expect((await refusal(places.bus.call(i.deleteIntent, below(desk.id), places.caller()))).status).toBe(404);
    expect((await refusal(places.configureIntent(desk.id, one.id, { n: 2 }))).status).toBe(404);
    const drop = () => places.bus.call(g.deleteIntentGroup, { intent_group_id: group.id }, places.caller());
    expect((await refusal(drop())).status).toBe(409);
    await places.bus.call(i.deleteIntent, below(shop.id), places.caller());
    await places.bus.call(applications.endpoints.deleteApplication, { application_id: desk.id }, places.caller());
    expect(await drop()).toEqual({ id: group.id, deleted: true });
    expect((await places.intent(shop.id, 'ask')).intent_group_id).not.toBe(group.id);
  });

  it('are not seen by another company', async () => {
    const { places } = await made();
    const stranger = new Places(traffic, (await traffic.platform.company()).companyId);
    const app = await places.application('Shop');
    const intent = await places.intent(app.id, 'ask');
    const agent = await places.agent(app.id);
    const path = { application_id: app.id, intent_id: intent.id };
    const group = { intent_group_id: intent.intent_group_id };
    const own = await stranger.application('Own');
    for (const attempt of [
      stranger.bus.call(i.getIntent, path, stranger.caller()),
      stranger.bus.call(i.updateIntent, { ...path, prompt: 'x' }, stranger.caller()),
      stranger.bus.call(i.deleteIntent, path, stranger.caller()),
      stranger.configureIntent(app.id, intent.id, { n: 2 }),
      stranger.configureApplication(app.id, { n: 2 }),
      stranger.configureGroup(intent.intent_group_id, { n: 2 }),
      stranger.bus.call(g.getIntentGroup, group, stranger.caller()),
      stranger.bus.call(g.deleteIntentGroup, group, stranger.caller()),
      stranger.bus.call(g.listIntentGroupIntents, { ...LIST, ...group }, stranger.caller()),
      stranger.intent(app.id, 'mine'),
      stranger.intent(own.id, 'mine', { agent_id: agent.id }),
      stranger.configureApplication(own.id, { model: 'm' }),
    ])
      expect((await refusal(attempt)).status).toBe(404);
    await stranger.complete({ model: 'simulated-echo', application: 'Shop', intent: 'ask' });
    expect((await stranger.applications()).map(({ id }) => id)).not.toContain(app.id);
    expect((await places.groups())[0]).toMatchObject({ request_count: 0, config: {} });
  });
});
