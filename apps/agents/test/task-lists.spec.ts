import { type InputOf, type TimelineEvent, agentSessions, requests, subAgents, tasks } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { FrontDoor } from './http-client.js';
import { PAGE } from './world.js';
import { lookUpOnce, type TaskCompany, TaskWorld } from './task-world.js';

let outside: TaskWorld;
let company: TaskCompany;
beforeAll(async () => {
  outside = await TaskWorld.start('gateway');
}, 90_000);
afterAll(() => outside.stop());
beforeEach(async () => {
  company = await outside.company();
  outside.target.answerWith(() => ({ headers: { 'content-type': 'application/json' }, body: '{"stock":3}' }));
});

type Filters = Partial<InputOf<typeof tasks.endpoints.listAllTasks>>;
const all = (filters: Filters = {}) =>
  outside.platform.bus.call(tasks.endpoints.listAllTasks, { ...PAGE, ...filters }, company.world.caller());
const timelineOf = async (agent_id: number, task_id: string, include_children = false): Promise<TimelineEvent[]> => {
  const input = { agent_id, task_id, ...PAGE, limit: 100, include_children };
  const page = await outside.platform.bus.call(tasks.endpoints.listTaskTimeline, input, company.world.caller());
  return page.data;
};
const typesOf = (events: readonly TimelineEvent[]): string[] => events.map(({ type }) => type);

describe('the tasks of a company', () => {
  it('are listed over all agents without their bodies, which come when they are asked for', async () => {
    outside.provider.answerWith(() => 'hi there');
    const one = await company.agent({ agent_name: 'One' });
    const two = await company.agent({ agent_name: 'Two' });
    const first = await company.invoke(one, { message: `héllo "${'x'.repeat(300)}`, session_id: 's-1' });
    const second = await company.invoke(two, { message: 'other' });
    const page = await all();
    expect(page.data.map(({ id }) => id)).toEqual([second.task_id, first.task_id]);
    expect(page.data[1]).toMatchObject({ agent_id: one, session_id: 's-1', waiting: null, status: 'COMPLETED' });
    expect(page.data[1]?.first_message).toBe(`héllo "${'x'.repeat(193)}`);
    // The list reads it from its column, and not from the input.
    expect(await company.row(first.task_id)).toMatchObject({ first_message: page.data[1]?.first_message });
    expect(page.data[1]?.cost).toBe(page.data[1]?.usage.cost);
    for (const body of ['input_messages', 'output', 'structured_output']) expect(page.data[1]).not.toHaveProperty(body);
    const whole = (await all({ include_body: true, agent_id: one })).data;
    expect(whole).toMatchObject([{ id: first.task_id, output: { role: 'assistant', content: 'hi there' } }]);
    const { listTasks, getAnyTask } = tasks.endpoints;
    const caller = company.world.caller();
    const own = await outside.platform.bus.call(listTasks, { ...PAGE, agent_id: two }, caller);
    expect(own.data).toEqual([page.data[0]]);
    const sessionTasks = await outside.platform.bus.call(
      agentSessions.endpoints.listAgentSessionTasks,
      { ...PAGE, agent_id: one, session_id: 's-1' },
      company.world.caller(),
    );
    expect(sessionTasks.data).toEqual([page.data[1]]);
    const any = { task_id: first.task_id, wait_seconds: 0 };
    expect(await outside.platform.bus.call(getAnyTask, any, company.world.caller())).toEqual(
      await company.task(one, first.task_id),
    );
    const stranger = await outside.company();
    const foreign = outside.platform.bus.call(getAnyTask, any, stranger.world.caller());
    await expect(foreign).rejects.toMatchObject({ status: 404, message: 'task not found' });
  });

  it('are narrowed and sorted by what became of them', async () => {
    outside.provider.answerWith(({ messages }) =>
      String(messages.at(-1)?.content) === 'fail' ? { error: { status: 400, message: 'no' } } : 'fine "quoted"',
    );
    const agent = await company.agent();
    await company.world.publish(agent);
    const good = (await company.invoke(agent, { message: 'good', version: 'latest' })).task_id;
    await expect(company.invoke(agent, { message: 'fail' })).rejects.toMatchObject({ status: 502 });
    const ids = async (filters: Filters) => (await all(filters)).data.map(({ id }) => id);
    const bad = (await ids({}))[0] ?? '';
    expect(await ids({ status: ['FAILED'] })).toEqual([bad]);
    expect(await ids({ failure_class: ['provider', 'timeout'], error_code: ['provider_error'] })).toEqual([bad]);
    expect(await ids({ version: 'latest' })).toEqual([good]);
    expect(await ids({ version: '1.0.0', trigger: ['API'] })).toEqual([good]);
    expect(await ids({ text: 'FINE "quo' })).toEqual([good]);
    expect(await ids({ text: 'fail' })).toEqual([bad]);
    expect(await ids({ min_cost: 0.000_000_1 })).toEqual([good]);
    expect(await ids({ min_duration_ms: 3_600_000 })).toEqual([]);
    expect(await ids({ sort: 'date_created' })).toEqual([good, bad]);
    for (const sort of ['duration_ms', '-cost']) expect((await ids({ sort })).length).toBe(2);
  });

  it('are reached over HTTP by words that are no agent id, and refuse words that are no filter', async () => {
    outside.provider.answerWith(() => 'hi');
    const agent = await company.agent();
    const { task_id } = await company.invoke(agent);
    const door = await FrontDoor.of(company);
    const list = await door.send('/agents/tasks?status=COMPLETED,FAILED&include_body=true');
    expect((await list.json()) as object).toMatchObject({ data: [{ id: task_id, output: { content: 'hi' } }] });
    expect((await door.send(`/agents/tasks/${task_id}`)).status).toBe(200);
    for (const [path, status] of [
      ['/agents/tasks?status=DONE', 400],
      ['/agents/tasks?trigger=NONE', 400],
      ['/agents/tasks/abc', 400],
      ['/agents/tasks/00000000-0000-4000-8000-000000000000', 404],
      ['/agents/abc', 400],
      ['/agents/2000000000', 404],
      [`/agents/${agent}/sessions/${'s'.repeat(300)}`, 404],
      [`/agents/${agent}/releases/${'R'.repeat(300)}`, 404],
      [`/agents/${agent}/versions/one`, 400],
    ] as const)
      expect([path, (await door.send(path)).status]).toEqual([path, status]);
  });
});

describe('the timeline of a task', () => {
  it('numbers its events, names each call of a model, and ends with the answer', async () => {
    lookUpOnce(outside.provider);
    const agent = await company.agent();
    const { task_id } = await company.invoke(agent);
    const events = await timelineOf(agent, task_id);
    expect(typesOf(events)).toEqual([
      'task_start',
      'message',
      'model_called',
      'model_answered',
      'action_invoked',
      'action_result',
      'model_called',
      'model_answered',
      'task_end',
      'message',
    ]);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, at) => at + 1));
    expect(events[2]).toMatchObject({ step: 1, model: 'm', request_id: expect.any(String) as string });
    expect(events[3]).toMatchObject({ step: 1, usage: { total_tokens: expect.any(Number) as number } });
    expect(events[3]?.finish_reason).toBe('tool_calls');
    expect(events.at(-1)).toMatchObject({ role: 'assistant', parent_task_id: null, content: 'read: {"stock":3}' });
  });

  it('ends with the answer when no model has given it', async () => {
    const agent = await company.agent(
      { execution_mode: 'route' },
      { mock_response: { stock: 3 }, parameters: {} },
      {
        is_default: true,
      },
    );
    outside.provider.answerWith(() => ({ toolCalls: [{ name: 'look_up', arguments: { id: '7' } }] }));
    const { task_id } = await company.invoke(agent, { session_id: 'routed' });
    expect((await timelineOf(agent, task_id)).at(-1)).toMatchObject({ type: 'message', role: 'assistant' });
  });

  it('names the call of a model that failed', async () => {
    outside.provider.answerWith(() => ({ error: { status: 400, message: 'no' } }));
    const agent = await company.agent();
    await expect(company.invoke(agent)).rejects.toMatchObject({ status: 502 });
    const [task] = (await all()).data;
    const events = await timelineOf(agent, task?.id ?? '');
    expect(typesOf(events).slice(2)).toEqual(['model_called', 'model_answered', 'error', 'task_end']);
    expect(events[3]).toMatchObject({ failure_class: 'provider', usage: null });
    const ofTask = { ...PAGE, origin_id: task?.id } as InputOf<typeof requests.endpoints.listRequests>;
    const [request] = await eventually('the failed call is recorded', async () => {
      const { data } = await outside.platform.bus.call(requests.endpoints.listRequests, ofTask, company.world.caller());
      return data.length > 0 ? data : undefined;
    });
    expect(events[2]).toMatchObject({ type: 'model_called', request_id: request?.request_id });
    expect(request).toMatchObject({ status: 'FAILED' });
  });

  it('names a sub-agent with its task and result, and has its events when they are asked for', async () => {
    const child = (await company.world.agent({ agent_name: 'Child', model: 'm', system_prompt: 'CHILD' })).id;
    const parent = (await company.world.agent({ agent_name: 'Parent', model: 'm', system_prompt: 'PARENT' })).id;
    await outside.platform.bus.call(
      subAgents.endpoints.addSubAgent,
      { agent_id: parent, child_agent_id: child, action_result_type: 'gather_info' },
      company.world.caller(),
    );
    outside.provider.answerWith(({ messages }) => {
      if (String(messages[0]?.content).includes('CHILD')) return 'it is sunny';
      return messages.at(-1)?.role === 'tool'
        ? 'sunny, says the child'
        : { toolCalls: [{ name: 'Child', arguments: { message: 'weather?' } }] };
    });
    const { task_id } = await company.invoke(parent);
    const own = await timelineOf(parent, task_id);
    const invoked = own.find(({ type }) => type === 'sub_agent_invoked');
    expect(invoked).toMatchObject({
      child_agent_id: child,
      child_agent_name: 'Child',
      result: { status: 'COMPLETED', output: 'it is sunny', failure_class: null },
    });
    const merged = await timelineOf(parent, task_id, true);
    const ofChild = merged.filter((event) => event.task_id === invoked?.child_task_id);
    expect(merged.length).toBe(own.length + ofChild.length);
    expect(ofChild.map(({ seq }) => seq)).toEqual(ofChild.map((_event, at) => at + 1));
    expect(new Set(ofChild.map(({ parent_task_id }) => parent_task_id))).toEqual(new Set([task_id]));
    const at = merged.findIndex(({ type }) => type === 'sub_agent_invoked');
    expect(merged.slice(at + 1, at + 1 + ofChild.length)).toEqual(ofChild);
    expect(await timelineOf(child, invoked?.child_task_id ?? '')).toEqual(ofChild);
  });
});

describe('an action that is called with a wrong argument', () => {
  it('ends in an error of class quality, which the model can correct', async () => {
    let calls = 0;
    outside.provider.answerWith(({ messages }) => {
      const last = messages.at(-1);
      if (last?.role === 'tool' && !String(last.content).includes('must be a string')) return 'mended';
      return { toolCalls: [{ name: 'look_up', arguments: { id: ++calls === 1 ? 7 : '7' } }] };
    });
    const agent = await company.agent();
    const { task_id, choices } = await company.invoke(agent);
    expect(choices?.[0]?.message.content).toBe('mended');
    const results = (await timelineOf(agent, task_id)).filter(({ type }) => type === 'action_result');
    expect(results).toMatchObject([{ status: 'ERROR', failure_class: 'quality' }, { status: 'SUCCESS' }]);
  });
});

describe('an invocation that is not good enough', () => {
  it.each([
    ['max_iterations', { max_iterations: 1 }],
    ['output_schema', { response_format: { type: 'json_object' as const } }],
  ])('is refused with %s as its field', async (field, change) => {
    outside.provider.answerWith(() =>
      field === 'output_schema' ? 'no JSON' : { toolCalls: [{ name: 'look_up', arguments: { id: '7' } }] },
    );
    const agent = await company.agent();
    await expect(company.invoke(agent, change)).rejects.toMatchObject({
      status: 422,
      extras: { details: [{ field }] },
    });
  });
});
