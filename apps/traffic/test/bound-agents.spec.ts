import { agents, agentVersions, applications, chatSessions, intents, models, tasks } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { Places } from './traffic-client.js';
import { LIST, refusal, rowsOf, startTraffic, type Traffic, withModel } from './traffic.js';

let traffic: Traffic;
beforeAll(async () => {
  traffic = await startTraffic({ agents: true });
}, 90_000);
afterAll(() => traffic.stop());
beforeEach(() => {
  traffic.world.answerWith(() => 'fine');
  traffic.world.calls.length = 0;
});

const made = async () => {
  const { companyId } = await withModel(traffic);
  const places = new Places(traffic, companyId);
  const app = await places.application('Shop');
  return { places, companyId, app };
};

describe('an agent that serves an intent', () => {
  it('answers its calls that name no model, by its default release, latest version or draft', async () => {
    const { places, app, companyId } = await made();
    const agent = await places.agent(app.id);
    const intent = await places.intent(app.id, 'ask', { agent_id: agent.id });
    const answeringModel = async (more: object = {}) =>
      (await places.complete({ application: 'Shop', intent: 'ask', ...more })).model;
    expect(await answeringModel()).toBe(`agent:${agent.id}`);
    expect(await answeringModel({ model: 'm' })).toBe('m');
    const root = { agent_id: agent.id };
    const { publishVersion, createRelease } = agentVersions.endpoints;
    const input = { ...root, increment: 'minor' as const, version_notes: '' };
    await places.bus.call(publishVersion, input, places.caller());
    expect(await answeringModel()).toBe(`agent:${agent.id}@1.0.0`);
    const release = { ...root, name: 'prod', version: '1.0.0', is_default: true };
    await places.bus.call(createRelease, release, places.caller());
    await places.bus.call(publishVersion, input, places.caller());
    expect(await answeringModel()).toBe(`agent:${agent.id}@prod`);
    const { data } = await places.bus.call(tasks.endpoints.listTasks, { ...LIST, ...root, limit: 1 }, places.caller());
    expect(data[0]).toMatchObject({ release: 'prod', version: '1.0.0' });
    const path = { application_id: app.id, intent_id: intent.id };
    await places.bus.call(intents.endpoints.updateIntent, { ...path, agent_id: null }, places.caller());
    await places.configureApplication(app.id, { model: 'm' });
    expect(await answeringModel()).toBe('m');
    // A read that counts waits for what was answered before it.
    await places.applications();
    const ofIntent = (await rowsOf(traffic, companyId)).filter(({ intent_id }) => intent_id === intent.id);
    expect(ofIntent).toHaveLength(5);
  });

  it('continues a conversation with answers that have keys of a provider', async () => {
    const { places, app } = await made();
    const agent = await places.agent(app.id);
    const call = { id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
    const messages = [
      { role: 'user' as const, content: 'first' },
      { role: 'assistant' as const, content: 'one', refusal: null, annotations: [] },
      { role: 'user' as const, content: 'second' },
      { role: 'assistant' as const, content: null, refusal: null, tool_calls: [{ ...call, index: 0 }] },
      { role: 'tool' as const, tool_call_id: 'c', content: '7' },
    ];
    expect((await places.complete({ model: `agent:${agent.id}`, messages })).model).toBe(`agent:${agent.id}`);
    const { data } = await places.bus.call(
      tasks.endpoints.listTasks,
      { ...LIST, agent_id: agent.id, include_body: true },
      places.caller(),
    );
    expect(data[0]?.input_messages).toMatchObject([
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'one' },
      { role: 'user', content: 'second' },
      { role: 'assistant', tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c', content: '7' },
    ]);
  });

  it('runs tasks that chat completions triggered, in its own session of the same id, with the history of the client', async () => {
    const { places, app } = await made();
    const agent = await places.agent(app.id, 'Chatty');
    const session_id = 'shared-by-client';
    await places.complete({ model: `agent:${agent.id}`, session_id });
    await places.complete({ model: `agent:${agent.id}`, session_id });
    const { data } = await places.bus.call(
      tasks.endpoints.listTasks,
      { ...LIST, agent_id: agent.id, session_id },
      places.caller(),
    );
    expect(data.map(({ trigger }) => trigger)).toEqual(['CHAT', 'CHAT']);
    const { messages } = traffic.world.calls.at(-1)?.body as { messages: { role: string }[] };
    expect(messages.filter(({ role }) => role !== 'system').map(({ role }) => role)).toEqual(['user']);
  });

  it('is refused before it has a task when its model is disabled or its application is', async () => {
    const { places, app } = await made();
    const agent = await places.agent(app.id);
    const calls = () => [
      refusal(places.complete({ model: `agent:${agent.id}` })),
      refusal(places.complete({ model: `agent:${agent.id}`, application: 'Other' })),
    ];
    const { data } = await places.bus.call(models.endpoints.listModels, LIST, places.caller());
    const path = { model_id: data.find(({ model_name }) => model_name === 'm')!.id };
    await places.bus.call(models.endpoints.disableModel, path, places.caller());
    const off = { status: 404, message: 'model m is disabled', code: 'model_not_found' };
    for (const call of calls()) expect(await call).toMatchObject(off);
    await places.bus.call(models.endpoints.enableModel, path, places.caller());
    const disabled = { application_id: app.id, state: 'DISABLED' as const };
    await places.bus.call(applications.endpoints.updateApplication, disabled, places.caller());
    for (const call of calls()) expect(await call).toMatchObject({ status: 409, code: 'application_disabled' });
    const { pagination } = await places.bus.call(
      tasks.endpoints.listTasks,
      { ...LIST, agent_id: agent.id },
      places.caller(),
    );
    expect(pagination.total).toBe(0);
  });

  it('without a model uses that of its application', async () => {
    const { places, app } = await made();
    await places.configureApplication(app.id, { model: 'm' });
    const agent = await places.agent(app.id, 'Plain', null);
    const input = {
      agent_id: agent.id,
      message: 'hello',
      wait: true,
      stream: false,
      secrets: {},
      state: {},
      metadata: {},
    };
    await places.bus.call(tasks.endpoints.invokeAgent, input, places.caller());
    expect(traffic.world.calls.at(-1)?.body).toMatchObject({ model: 'm' });
  });

  it('holds its application back, unless it is taken off by force', async () => {
    const { places, app, companyId } = await made();
    const agent = await places.agent(app.id);
    const intent = await places.intent(app.id, 'ask');
    await places.complete({ model: 'm', application: 'Shop', intent: 'ask' });
    const { deleteApplication, listApplicationAgents } = applications.endpoints;
    const of = { ...LIST, application_id: app.id };
    expect((await places.bus.call(listApplicationAgents, of, places.caller())).data).toMatchObject([{ id: agent.id }]);
    const drop = (force: boolean) =>
      places.bus.call(deleteApplication, { application_id: app.id, force }, places.caller());
    expect(await refusal(drop(false))).toMatchObject({ status: 409, message: `application ${app.id} has 1 agents` });
    expect(await drop(true)).toEqual({ id: app.id, deleted: true });
    const free = await places.bus.call(agents.endpoints.getAgent, { agent_id: agent.id }, places.caller());
    expect(free).toMatchObject({ application_id: null, application_name: null });
    const input = {
      agent_id: agent.id,
      message: 'hello',
      wait: true,
      stream: false,
      secrets: {},
      state: {},
      metadata: {},
    };
    const answer = await places.bus.call(tasks.endpoints.invokeAgent, input, places.caller());
    expect(answer.choices?.[0]?.message.content).toBe('fine');
    const path = { application_id: app.id, intent_id: intent.id };
    expect((await refusal(places.bus.call(intents.endpoints.getIntent, path, places.caller()))).status).toBe(404);
    expect((await rowsOf(traffic, companyId)).filter(({ intent_id }) => intent_id === intent.id)).toHaveLength(1);
    expect((await places.groups())[0]).toMatchObject({ request_count: 1, intent_count: 0 });
    expect((await places.events('intent')).at(-1)).toMatchObject({ event: 'intent.deleted', data: { id: intent.id } });
  });

  it('is taken off in the end though its service was down when the application went', async () => {
    const { places, app } = await made();
    const agent = await places.agent(app.id);
    await traffic.platform.service('agents').kill('SIGKILL');
    const { deleteApplication } = applications.endpoints;
    const path = { application_id: app.id };
    expect((await refusal(places.bus.call(deleteApplication, path, places.caller()))).status).toBe(503);
    await places.bus.call(deleteApplication, { ...path, force: true }, places.caller());
    await traffic.platform.startService('agents');
    await eventually('an agent without application', async () => {
      const read = places.bus.call(agents.endpoints.getAgent, { agent_id: agent.id }, places.caller());
      return (await read).application_id === null;
    });
    const late = await refusal(places.agent(app.id, 'Late'));
    expect(late).toMatchObject({ status: 404, message: 'application not found' });
  });
});

describe('the summary of a session', () => {
  it('is written once it has rested, where its application wants it', async () => {
    const { places, app, companyId } = await made();
    const { updateApplication } = applications.endpoints;
    await places.bus.call(updateApplication, { application_id: app.id, session_summaries: true }, places.caller());
    const { session_id } = await places.complete({ model: 'm', application: 'Shop' });
    await places.complete({ model: 'm', application: 'Other' });
    const due = async () => {
      const { rows } = await traffic.platform.sql.query<{ ref: string; minutes: number }>(
        `SELECT ref, extract(epoch from due_at - now()) / 60 AS minutes FROM traffic.work
         WHERE company_id = $1 AND kind = 'session_summary'`,
        [companyId],
      );
      return rows;
    };
    const waiting = await eventually('work', async () => ((await due()).length > 0 ? due() : undefined));
    expect(waiting.map(({ ref }) => ref)).toEqual([session_id]);
    expect(Number(waiting[0]?.minutes)).toBeGreaterThan(29);
    await traffic.platform.sql.query('UPDATE traffic.work SET due_at = now() WHERE company_id = $1', [companyId]);
    const read = () => places.bus.call(chatSessions.endpoints.getSession, { session_id }, places.caller());
    const summary = await eventually('a summary', async () => (await read()).summary ?? undefined);
    expect(summary).toContain('user: hello');
    expect(summary).toContain('assistant: fine');
    expect((await read()).request_count).toBe(1);
  });
});
