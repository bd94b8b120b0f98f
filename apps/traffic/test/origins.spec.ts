import { analytics, chatSessions, completions, models, parse, requests, tasks } from '@signalbox/contracts';
import { Places } from './traffic-client.js';
import { ask, LIST, recorded, refusal, rowsOf, startTraffic, type Traffic, withModel } from './traffic.js';

let traffic: Traffic;
let places: Places;
let companyId: number;
beforeAll(async () => {
  traffic = await startTraffic({ agents: true });
}, 90_000);
afterAll(() => traffic.stop());
beforeEach(async () => {
  ({ companyId } = await withModel(traffic));
  places = new Places(traffic, companyId);
});

const list = async (more: object) => {
  const page = await places.bus.call(
    requests.endpoints.listRequests,
    { ...LIST, include_body: false, ...more },
    places.caller(),
  );
  return page.data;
};
const invoke = (agent_id: number, session_id: string) =>
  places.bus.call(
    tasks.endpoints.invokeAgent,
    { agent_id, message: 'hello', session_id, wait: true, stream: false, secrets: {}, state: {}, metadata: {} },
    places.caller(),
  );

describe('requests', () => {
  it('say what made them, and are found by it', async () => {
    const app = await places.application('Shop');
    const agent = await places.agent(app.id);
    const { task_id } = await invoke(agent.id, 'shared');
    const chat = await places.complete({ model: 'm', application: 'Shop', session_id: 'shared' });
    await recorded(traffic, companyId, 2);
    const [byAgent, ...others] = await list({ origin: 'AGENT' });
    expect(others).toEqual([]);
    expect(byAgent).toMatchObject({ origin: 'AGENT', origin_id: task_id, rerun_of: null, task_id: null, run_id: null });
    expect(await list({ origin_id: task_id })).toEqual([byAgent]);
    expect(await list({ origin: 'CHAT' })).toMatchObject([
      { request_id: chat.request_id, origin: 'CHAT', origin_id: null },
    ]);
  });

  it('of agents and of chat are in separate sessions, and deleting one touches none of the other', async () => {
    const app = await places.application('Shop');
    const agent = await places.agent(app.id);
    await invoke(agent.id, 'shared');
    await places.complete({ model: 'm', application: 'Shop', session_id: 'shared' });
    await recorded(traffic, companyId, 2);
    const { listSessionRequests, listSessionTimeline, deleteSession } = chatSessions.endpoints;
    const of = { session_id: 'shared' };
    const inSession = await places.bus.call(listSessionRequests, { ...LIST, ...of }, places.caller());
    expect(inSession.data.map(({ origin }) => origin)).toEqual(['CHAT']);
    const timeline = await places.bus.call(listSessionTimeline, parse(listSessionTimeline.input, of), places.caller());
    expect(new Set(timeline.data.map(({ request_id }) => request_id)).size).toBe(1);
    await places.bus.call(deleteSession, of, places.caller());
    const [first, second] = await rowsOf(traffic, companyId);
    const [own, deleted] = first?.origin === 'AGENT' ? [first, second] : [second, first];
    expect(deleted).toMatchObject({ params: {}, response: null });
    expect(own?.params).toMatchObject({ messages: expect.arrayContaining([]) });
    expect(own?.response).not.toBeNull();
  });

  it('answered by an agent name its task and show what it used, which is summed once', async () => {
    const app = await places.application('Shop');
    const agent = await places.agent(app.id);
    const answer = await places.complete({ model: `agent:${agent.id}`, application: 'Shop' });
    expect(answer.usage).toMatchObject({ cost: expect.any(Number) });
    const rows = await recorded(traffic, companyId, 2);
    const [byChat] = await list({ origin: 'CHAT' });
    const [byAgent] = await list({ origin: 'AGENT' });
    expect(byChat).toMatchObject({ task_id: byAgent?.origin_id, usage: answer.usage });
    const sum = rows.reduce((tokens, { total_tokens }) => tokens + Number(total_tokens), 0);
    expect(sum).toBe(byAgent?.usage.total_tokens);
    const query = parse(analytics.endpoints.getUsage.input, { group_by: 'agent' });
    const { series, total } = await places.bus.call(analytics.endpoints.getUsage, query, places.caller());
    expect(total.total_tokens).toBe(sum);
    expect(series.map(({ key }) => key)).toEqual(expect.arrayContaining([String(agent.id), 'none']));
  });

  it('are made again from the record in hand, whatever the log has still to store', async () => {
    const { request_id } = await ask(traffic, companyId, 'again', { model: 'm' });
    await recorded(traffic, companyId, 1);
    const again = await places.bus.call(requests.endpoints.rerunRequest, { request_id }, places.caller());
    expect(again).toMatchObject({ request_type: 'RERUN', rerun_of: request_id, origin: 'CHAT' });
    const pair = await places.bus.call(requests.endpoints.getRequestResponse, { request_id }, places.caller());
    expect(pair.corrected).toBeNull();
  });
});

describe('an agent named by a call', () => {
  it('is the one of the application, else the only one of that name', async () => {
    const [one, two] = [await places.application('One'), await places.application('Two')];
    const inOne = await places.agent(one.id, 'Same');
    const inTwo = await places.agent(two.id, 'Same');
    await places.agent(two.id, 'Same thing');
    await places.agent(two.id, 'Only');
    const call = (application: string, name: string) => places.complete({ model: `agent:${name}`, application });
    await call('One', 'Same');
    await call('Two', 'Same');
    await recorded(traffic, companyId, 4);
    const called = (await rowsOf(traffic, companyId)).flatMap(({ agent_id }) => (agent_id ? [agent_id] : []));
    expect(called).toEqual([inOne.id, inTwo.id]);
    expect((await call('Three', 'Only')).request_id).toBeDefined();
    const ambiguous = await refusal(call('Three', 'Same'));
    expect(ambiguous).toMatchObject({ status: 409, code: 'ambiguous' });
    expect(ambiguous.message).toContain(`${inOne.id}, ${inTwo.id}`);
  });
});

it('messages without content, and of a tool without its call, are refused', async () => {
  const { createCompletion } = completions.endpoints;
  const problemOf = (message: object): string | null => {
    try {
      parse(createCompletion.input, { messages: [message] });
      return null;
    } catch (error) {
      return JSON.stringify((error as { extras: { details: unknown } }).extras.details);
    }
  };
  expect(problemOf({ role: 'user' })).toContain('content');
  expect(problemOf({ role: 'assistant', content: null })).toContain('content');
  expect(problemOf({ role: 'tool', content: 'x' })).toContain('tool_call_id');
  expect(problemOf({ role: 'assistant', content: null, refusal: 'no' })).toBeNull();
  const called = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
  expect(problemOf({ role: 'assistant', tool_calls: [called] })).toBeNull();
  expect(problemOf({ role: 'tool', tool_call_id: 'c', content: 'x' })).toBeNull();
});

it('the built-in model is trainable, and a configuration names only models that exist', async () => {
  const echo = await places.bus.call(models.endpoints.getModel, { model_id: 'simulated-echo' }, places.caller());
  expect(echo.trainable).toBe(true);
  const app = await places.application('Shop');
  const bad = { fallback_config: { model: 'gone', strategy: 'reactive' as const, timeout_ms: 1000 } };
  const error = await places.configureApplication(app.id, bad).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ status: 404, extras: { details: [{ field: 'fallback_config.model' }] } });
});
