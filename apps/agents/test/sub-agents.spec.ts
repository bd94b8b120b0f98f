import {
  agents,
  agentSessions,
  type ApiError,
  formFields,
  hooks,
  type InputOf,
  type Page,
  routing,
  subAgents,
  type Task,
  tasks,
} from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { type TaskCompany, TaskWorld } from './task-world.js';
import { PAGE } from './world.js';

let outside: TaskWorld;
let company: TaskCompany;
let parent: number;
let child: number;
beforeAll(async () => {
  outside = await TaskWorld.start();
}, 60_000);
afterAll(() => outside.stop());
beforeEach(async () => {
  company = await outside.company();
  outside.reset();
  child = (await company.world.agent({ agent_name: 'Weather desk', model: 'm', system_prompt: 'CHILD' })).id;
  parent = (await company.world.agent({ agent_name: 'Front desk', model: 'm', system_prompt: 'PARENT' })).id;
});

type Ask = Parameters<Parameters<TaskWorld['provider']['answerWith']>[0]>[0];
const system = ({ messages }: Ask): string => String(messages[0]?.content);
const lastOf = ({ messages }: Ask) => messages.at(-1);
const call = <E extends Parameters<typeof outside.platform.bus.call>[0]>(endpoint: E, input: object) =>
  outside.platform.bus.call(endpoint, input as InputOf<E>, company.world.caller());
const link = (change: object = {}, agent_id = parent, child_agent_id = child) =>
  call(subAgents.endpoints.addSubAgent, { agent_id, child_agent_id, action_result_type: 'gather_info', ...change });
const field = (agent_id: number, field_key: string, change: object = {}) =>
  call(formFields.endpoints.createFormField, {
    agent_id,
    field_key,
    label: field_key,
    field_type: 'string',
    required: false,
    read_scope: 'all',
    write_scope: 'all',
    ...change,
  });
const streamed = async (agent_id: number, task_id: string) => {
  const part = await call(tasks.endpoints.streamTask, { agent_id, task_id, last_event_id: 0 });
  return (part as { events: { type: string; data: Record<string, unknown> }[] }).events;
};
const childrenOf = async (taskId: string) => {
  const { rows } = await outside.platform.sql.query<Record<string, unknown>>(
    'SELECT * FROM agents.tasks WHERE parent_task_id = $1 ORDER BY no',
    [taskId],
  );
  return rows;
};
const refusal = (made: Promise<unknown>): Promise<ApiError> =>
  made.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: ApiError) => error,
  );
const ask = (name: string, given: object) => ({ toolCalls: [{ name, arguments: given as Record<string, unknown> }] });

/** A parent that asks its sub-agent once, and a sub-agent that answers with what it is asked. */
function asksOnce(answer: (request: Ask) => string | object = (r) => `sunny in ${String(lastOf(r)?.content)}`): void {
  outside.provider.answerWith((request) => {
    if (system(request).startsWith('CHILD')) return answer(request) as string;
    const last = lastOf(request);
    return last?.role === 'tool' ? `result: ${String(last.content)}` : ask('Weather_desk', { message: 'Rome' });
  });
}

describe('a sub-agent', () => {
  it('is offered as a tool, runs as a child task, and its answer is fed back', async () => {
    await link();
    asksOnce();
    const reply = await company.invoke(parent, { session_id: 'talk', metadata: { run: 1 } });
    expect(reply.choices![0]!.message.content).toBe('result: sunny in Rome');
    const [task] = await childrenOf(reply.task_id);
    expect(task).toMatchObject({
      agent_id: child,
      trigger: 'SUB_AGENT',
      session_id: 'talk',
      status: 'COMPLETED',
      depth: 1,
    });
    expect((await streamed(parent, reply.task_id)).map(({ type }) => type)).toEqual([
      'task.started',
      'subagent.started',
      'subagent.completed',
      'message.delta',
      'task.completed',
    ]);
    const whole = await company.task(parent, reply.task_id);
    expect(whole.usage.total_tokens).toBeGreaterThan(Number(task!['total_tokens']));
    const types = (await company.timeline(parent, reply.task_id)).data.map(({ type }) => type);
    expect(types).toContain('sub_agent_invoked');
  });

  it('holds no worker of its parent while it runs', async () => {
    await link();
    asksOnce(() => ({ text: 'late', latencyMs: 4000 }));
    const { task_id } = await company.invoke(parent, { wait: false });
    await eventually('the child runs', async () => (await childrenOf(task_id)).length === 1);
    await eventually('the parent is let go', async () => {
      const { rows } = await outside.platform.sql.query(
        `SELECT 1 FROM agents.work WHERE ref = $1 AND done_at IS NOT NULL`,
        [task_id],
      );
      return rows.length === 1;
    });
    expect((await childrenOf(task_id)).map(({ completed_at }) => completed_at)).toEqual([null]);
    expect(await company.ended(task_id)).toMatchObject({ output: { content: 'result: late' } });
  });

  it('may take longer than its parent may work', async () => {
    await link();
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    outside.provider.answerWith(async (request) => {
      if (!system(request).startsWith('CHILD')) {
        const last = lastOf(request);
        return last?.role === 'tool' ? `result: ${String(last.content)}` : ask('Weather_desk', { message: 'Rome' });
      }
      await held;
      return 'at last';
    });
    const { task_id } = await company.invoke(parent, { wait: false });
    await eventually('the child runs', async () => (await childrenOf(task_id))[0]?.['status'] === 'RUNNING');
    // Both have been at it for 40 minutes, of which the parent has worked one.
    const ago = (minutes: number): number => Date.now() - minutes * 60_000;
    const { sql } = outside.platform;
    await sql.query('UPDATE agents.tasks SET active_since = $2 WHERE id = $1', [task_id, ago(41)]);
    await sql.query('UPDATE agents.tasks SET date_created = $2 WHERE parent_task_id = $1', [task_id, ago(40)]);
    letGo();
    expect(await company.ended(task_id)).toMatchObject({ status: 'COMPLETED', output: { content: 'result: at last' } });
  });

  it('is of no use to a parent that has worked for more than 30 minutes itself', async () => {
    await link();
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let asked = 0;
    outside.provider.answerWith(async (request) => {
      if (!system(request).startsWith('CHILD'))
        return ++asked === 1 ? ask('Weather_desk', { message: 'Rome' }) : 'late';
      await held;
      return 'sunny';
    });
    const { task_id } = await company.invoke(parent, { wait: false });
    await eventually('the child runs', async () => (await childrenOf(task_id))[0]?.['status'] === 'RUNNING');
    const began = Date.now() - 31 * 60_000;
    await outside.platform.sql.query('UPDATE agents.tasks SET active_since = $2 WHERE id = $1', [task_id, began]);
    letGo();
    expect(await company.ended(task_id)).toMatchObject({
      status: 'FAILED',
      failure_class: 'timeout',
      error_code: 'timeout',
    });
    expect(asked).toBe(1);
    expect((await childrenOf(task_id)).map(({ status }) => status)).toEqual(['COMPLETED']);
  });

  const orders = async () => {
    const action_config = { endpoint: outside.target.url, mode: 'callback', body: { to: '{{callback_url}}' } };
    await company.world.action(child, 'order', { action_type: 'webhook', action_config });
    asksOnce((request) =>
      lastOf(request)?.role === 'tool' ? `got ${String(lastOf(request)?.content)}` : ask('order', {}),
    );
  };
  const callBack = (payload: unknown) => {
    const { to } = JSON.parse(outside.target.calls[0]!.body.toString()) as { to: string };
    const nobody = outside.platform.caller(1, { companyId: 0, scopes: [] });
    const hook = { hook_key: to.split('/').at(-1) ?? '', payload };
    return outside.platform.bus.call(hooks.endpoints.answerHook, hook, nobody);
  };
  const withStatus = async (agent_id: number, ...status: string[]) =>
    ((await call(tasks.endpoints.listTasks, { agent_id, ...PAGE, status })) as Page<Task>).data.map(({ id }) => id);

  it('that waits for a callback suspends its ancestors, which resume with it', async () => {
    const top = (await company.world.agent({ agent_name: 'Entrance', model: 'm', system_prompt: 'PARENT' })).id;
    await link({}, top, parent);
    await link();
    await orders();
    outside.provider.answerWith((request) => {
      const last = lastOf(request);
      if (last?.role === 'tool') return `result: ${String(last.content)}`;
      if (system(request).startsWith('CHILD')) return ask('order', {});
      const [tool] = (request as unknown as { tools: { function: { name: string } }[] }).tools;
      return ask(tool!.function.name, { message: 'Rome' });
    });
    const reply = await company.invoke(top);
    const [middle] = await childrenOf(reply.task_id);
    const [lowest] = await childrenOf(String(middle!['id']));
    const line = [
      [top, reply.task_id],
      [parent, String(middle!['id'])],
      [child, String(lowest!['id'])],
    ] as const;
    const expires = Number(lowest!['hook_expires_at']);
    expect(reply).toMatchObject({ status: 'WAITING_WEBHOOK', hook_expires_at: expires });
    for (const [at, [agent_id, task_id]] of line.entries()) {
      expect((await company.task(agent_id, task_id)).status).toBe('WAITING_WEBHOOK');
      expect(await withStatus(agent_id, 'WAITING_WEBHOOK')).toEqual([task_id]);
      expect(await withStatus(agent_id, 'RUNNING')).toEqual([]);
      const events = await streamed(agent_id, task_id);
      expect(events.at(-1)).toMatchObject({ type: 'task.waiting', data: { hook_expires_at: expires } });
      const below = line[at + 1]?.[1];
      expect((await company.timeline(agent_id, task_id)).data.at(-1)).toMatchObject({
        type: 'waiting_webhook',
        hook_expires_at: expires,
        ...(below ? { child_task_id: below } : { action_name: 'order' }),
      });
      const { rows } = await outside.platform.sql.query<{ status: string }>(
        `SELECT payload::jsonb->'data'->>'status' AS status FROM agents.outbox
         WHERE payload::jsonb->>'event' = 'agent_task.waiting' AND payload::jsonb->'resource'->>'id' = $1`,
        [task_id],
      );
      expect(rows).toEqual([{ status: 'WAITING_WEBHOOK' }]);
    }
    await callBack('yes');
    expect(await company.ended(reply.task_id)).toMatchObject({
      status: 'COMPLETED',
      hook_expires_at: null,
      output: { content: 'result: result: result: yes' },
    });
  });

  it.each(['is not called back in time', 'is cancelled'])('that waits and %s lets its parent continue', async (how) => {
    await link();
    await orders();
    const { task_id } = await company.invoke(parent);
    const id = String((await childrenOf(task_id))[0]!['id']);
    expect((await company.task(parent, task_id)).status).toBe('WAITING_WEBHOOK');
    if (how === 'is cancelled') await call(tasks.endpoints.cancelTask, { agent_id: child, task_id: id });
    else {
      await outside.platform.sql.query('UPDATE agents.task_hooks SET expires_at = 1 WHERE task_id = $1', [id]);
      const due = `UPDATE agents.work SET due_at = now() WHERE kind = 'agent_hook' AND ref LIKE $1 || '/%'`;
      await outside.platform.sql.query(due, [id]);
    }
    expect(await company.ended(task_id)).toMatchObject({ status: 'COMPLETED', hook_expires_at: null });
    expect((await childrenOf(task_id))[0]!['status']).toBe(how === 'is cancelled' ? 'CANCELLED' : 'FAILED');
  });

  it('that waits can be cancelled while its parent is cancelled', async () => {
    await link();
    await orders();
    const made = await Promise.all(Array.from({ length: 8 }, () => company.invoke(parent)));
    const ids = await Promise.all(made.map(async ({ task_id }) => String((await childrenOf(task_id))[0]!['id'])));
    const cancelled = await Promise.allSettled([
      ...made.map(({ task_id }) => call(tasks.endpoints.cancelTask, { agent_id: parent, task_id })),
      ...ids.map((task_id) => call(tasks.endpoints.cancelTask, { agent_id: child, task_id })),
    ]);
    for (const result of cancelled)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409 });
    for (const { task_id } of made) await company.ended(task_id);
    for (const task_id of ids) expect(await company.ended(task_id)).toMatchObject({ status: 'CANCELLED' });
  });

  it('that waits for a callback lets the caller of its parent know', async () => {
    await link();
    await orders();
    const reply = await company.invoke(parent, {}, company.world.caller({ deadline: Date.now() + 12_000 }));
    const [waiting] = await childrenOf(reply.task_id);
    expect(reply).toEqual({
      task_id: reply.task_id,
      session_id: reply.session_id,
      status: 'WAITING_WEBHOOK',
      hook_expires_at: Number(waiting!['hook_expires_at']),
    });
    await callBack('yes');
    expect(await company.ended(reply.task_id)).toMatchObject({ output: { content: 'result: got yes' } });
  });

  it('needs the secrets of all agents below, however many they are', async () => {
    const make = (agent_name: string) => company.world.agent({ agent_name, model: 'm' });
    const many = await Promise.all(Array.from({ length: 99 }, (_, at) => make(`Desk ${at}`)));
    for (const { id } of many) await link({}, parent, id);
    await link();
    const grandchild = await make('Last');
    await link({}, child, grandchild.id);
    await company.action(grandchild.id, 'look up', { auth: { type: 'bearer', token: '{{secrets.LAST}}' } });
    const error = await refusal(company.invoke(parent));
    expect([error.status, error.message]).toEqual([400, 'missing secrets: LAST']);
  });

  it('that fails is a result for the model, or the end of its parent when it completes the task', async () => {
    await link();
    asksOnce(() => ({ error: { status: 400 } }));
    const reply = await company.invoke(parent);
    expect(reply.choices![0]!.message.content).toContain('sub-agent Weather desk failed');
    await call(subAgents.endpoints.updateSubAgent, {
      agent_id: parent,
      child_agent_id: child,
      action_result_type: 'complete_task',
    });
    const error = await refusal(company.invoke(parent));
    expect([error.status, error.extras.code]).toEqual([502, 'provider_error']);
    const schema = { type: 'object', required: ['t'] };
    const response_format = { type: 'json_schema', json_schema: { name: 'n', schema } };
    await call(agents.endpoints.updateAgent, { agent_id: child, response_format });
    asksOnce(() => 'never JSON');
    const misfit = await refusal(company.invoke(parent));
    expect([misfit.status, misfit.extras.code]).toEqual([422, 'output_schema']);
  });

  it('is cancelled with its parent', async () => {
    await link();
    asksOnce(() => ({ hang: true }));
    const { task_id } = await company.invoke(parent, { wait: false });
    await eventually('the child runs', async () => (await childrenOf(task_id))[0]?.['status'] === 'RUNNING');
    await call(tasks.endpoints.cancelTask, { agent_id: parent, task_id });
    expect((await childrenOf(task_id)).map(({ status }) => status)).toEqual(['CANCELLED']);
  });

  it('gets the secrets of its parent, which are asked for before anything starts', async () => {
    await link();
    await company.action(child, 'look up', { auth: { type: 'bearer', token: '{{secrets.TOKEN}}' } });
    asksOnce((request) =>
      lastOf(request)?.role === 'tool' ? String(lastOf(request)?.content) : ask('look_up', { id: '1' }),
    );
    const error = await refusal(company.invoke(parent));
    expect([error.status, error.extras.details?.[0]?.field]).toEqual([400, 'secrets.TOKEN']);
    outside.target.answerWith(({ headers }) => ({ body: JSON.stringify({ you: headers['authorization'] }) }));
    const reply = await company.invoke(parent, { secrets: { TOKEN: 'child-secret-77' } });
    expect(outside.target.calls[0]!.headers['authorization']).toBe('Bearer child-secret-77');
    expect(reply.choices![0]!.message.content).toContain('[secret]');
    const { rowCount } = await outside.platform.sql.query(
      `SELECT 1 FROM agents.task_steps WHERE strpos(result::text, 'child-secret-77') > 0`,
    );
    expect(rowCount).toBe(0);
  });

  it('may spend what is left and go ten deep', async () => {
    await link();
    asksOnce();
    const { task_id } = await company.invoke(parent, { max_cost: 1 });
    expect((await childrenOf(task_id))[0]!['max_cost']).toBeLessThan(1);
    await outside.platform.sql.query('UPDATE agents.sub_agents SET deleted_at = NULL WHERE company_id = $1', [
      company.world.companyId,
    ]);
    await outside.platform.sql.query(
      `INSERT INTO agents.sub_agents (company_id, agent_id, child_agent_id, action_result_type, position)
       SELECT company_id, $1, $2, 'gather_info', 0 FROM agents.agents WHERE id = $1`,
      [child, parent],
    );
    outside.provider.answerWith((request) => {
      const last = lastOf(request);
      if (last?.role === 'tool') return String(last.content);
      return ask(system(request).startsWith('CHILD') ? 'Front_desk' : 'Weather_desk', { message: 'you go' });
    });
    const error = await refusal(company.invoke(parent));
    expect([error.status, error.extras.details?.[0]?.field]).toEqual([422, 'depth_exceeded']);
    const { rows } = await outside.platform.sql.query(
      `SELECT depth, error_code FROM agents.tasks WHERE company_id = $1 AND error_code IS NOT NULL ORDER BY depth`,
      [company.world.companyId],
    );
    expect(rows).toEqual(Array.from({ length: 11 }, (_, depth) => ({ depth, error_code: 'depth_exceeded' })));
  }, 30_000);
});

describe('the state of a session', () => {
  it('begins with defaults and the input of the call, is shown to the model, and is written by it', async () => {
    await field(parent, 'city', { default_value: 'Rome' });
    await field(parent, 'name');
    outside.provider.answerWith((request) =>
      lastOf(request)?.role === 'tool' ? 'done' : ask('update_state', { name: 'Ann' }),
    );
    expect((await refusal(company.invoke(parent, { state: { nothing: 1 } }))).status).toBe(400);
    const reply = await company.invoke(parent, { session_id: 's', state: { city: 'Oslo' } });
    const session = await call(agentSessions.endpoints.getAgentSession, { agent_id: parent, session_id: 's' });
    expect(session).toMatchObject({ state: { city: 'Oslo', name: 'Ann' } });
    const [first, second] = outside.provider.calls.map(({ body }) => system(body as Ask));
    expect(first).toContain('"city":"Oslo"');
    expect(second).toContain('"name":"Ann"');
    const events = (await streamed(parent, reply.task_id)).filter(({ type }) => type === 'state.updated');
    expect(events.map(({ data }) => data['changes'])).toEqual([{ city: 'Oslo' }, { name: 'Ann' }]);
    await call(agentSessions.endpoints.updateAgentSessionState, {
      agent_id: parent,
      session_id: 's',
      state: { city: 'Bonn' },
    });
    const types = (await company.timeline(parent, reply.task_id)).data.map(({ type }) => type);
    expect(types.filter((type) => type === 'state_update')).toHaveLength(3);
  });

  it('refuses what does not fit, in words for the model', async () => {
    await field(parent, 'age', { field_type: 'number' });
    outside.provider.answerWith((request) =>
      lastOf(request)?.role === 'tool' ? String(lastOf(request)?.content) : ask('update_state', { age: 'old', x: 1 }),
    );
    const reply = await company.invoke(parent);
    expect(reply.choices![0]!.message.content).toContain('state.age must be a number');
  });

  it('is shared with sub-agents as far as its fields say', async () => {
    await field(parent, 'open');
    await field(parent, 'readable', { write_scope: 'self' });
    await field(parent, 'hidden', { read_scope: 'self', write_scope: 'self' });
    await link();
    const seen: string[] = [];
    asksOnce((request) => {
      seen.push(system(request));
      return lastOf(request)?.role === 'tool'
        ? String(lastOf(request)?.content)
        : ask('update_state', seen.length === 1 ? { readable: 'no' } : {});
    });
    const state = { open: 'a', readable: 'b', hidden: 'c' };
    const refused = await company.invoke(parent, { session_id: 't', state });
    expect(refused.choices![0]!.message.content).toContain('written by the agent itself only');
    expect(seen[0]).toContain('"readable":"b"');
    expect(seen[0]).not.toContain('hidden');
    asksOnce((request) => (lastOf(request)?.role === 'tool' ? 'ok' : ask('update_state', { open: 'z' })));
    await company.invoke(parent, { session_id: 't' });
    const session = await call(agentSessions.endpoints.getAgentSession, { agent_id: parent, session_id: 't' });
    expect(session).toMatchObject({ state: { ...state, open: 'z' } });
  });
});

describe('routing', () => {
  const rule = (change: object) =>
    call(routing.endpoints.createRoutingRule, {
      agent_id: parent,
      label: 'rule',
      enabled: true,
      conditions: [{ target_type: 'message', operator: 'contains', value: 'weather', enabled: true }],
      ...change,
    });
  const routeMode = () => call(agents.endpoints.updateAgent, { agent_id: parent, execution_mode: 'route' });

  it('sends a message to a sub-agent without asking a model', async () => {
    await link();
    await routeMode();
    await rule({ route: { type: 'agent', agent_id: child } });
    outside.provider.answerWith((request) => `child says ${String(lastOf(request)?.content)}`);
    const reply = await company.invoke(parent, { message: 'weather?' });
    expect(reply.choices![0]!.message.content).toBe('child says weather?');
    expect(outside.provider.calls).toHaveLength(1);
    const events = await streamed(parent, reply.task_id);
    expect(events[1]).toMatchObject({ type: 'routing.decided', data: { route: { type: 'agent', agent_id: child } } });
    const types = (await company.timeline(parent, reply.task_id)).data.map(({ type }) => type);
    expect(types).toContain('routing');
  });

  it('sends a message to an action, whose arguments the model fills in', async () => {
    const action = await company.action(parent, 'look up');
    await routeMode();
    await rule({ route: { type: 'action', action_id: action.id } });
    outside.target.answerWith(() => ({ body: '{"t":20}', headers: { 'content-type': 'application/json' } }));
    outside.provider.answerWith(() => ask('look_up', { id: '3' }));
    const reply = await company.invoke(parent, { message: 'weather?' });
    expect(reply.choices![0]!.message.content).toBe('{"t":20}');
    expect(outside.provider.calls).toHaveLength(1);
    expect(outside.target.calls[0]!.path).toBe('/items/3');
  });

  it('returns only what fits the response format, from any source', async () => {
    const action = await company.action(parent, 'look up');
    await routeMode();
    await rule({ route: { type: 'action', action_id: action.id } });
    const schema = { type: 'object', required: ['t'], properties: { t: { type: 'integer' } } };
    const response_format = { type: 'json_schema' as const, json_schema: { name: 'n', schema } };
    outside.provider.answerWith(() => ask('look_up', { id: '3' }));
    const answers = (body: string): Promise<unknown> => {
      outside.target.answerWith(() => ({ body, headers: { 'content-type': 'application/json' } }));
      return company.invoke(parent, { message: 'weather?', response_format });
    };
    expect(await answers('{"t":20}')).toMatchObject({ structured_output: { t: 20 } });
    for (const misfit of ['{"t":"warm"}', '"warm"', 'no JSON']) {
      const error = await refusal(answers(misfit));
      expect([error.status, error.extras.code]).toEqual([422, 'output_schema']);
    }
    // A model that answers in place of the action is asked again, like any other.
    const said = ['sunny', '{"t":"warm"}', '{"t":21}'];
    outside.provider.answerWith(() => said.shift() ?? '');
    expect(await answers('{"t":20}')).toMatchObject({ structured_output: { t: 21 } });
  });

  it.each([
    ['sandbox', 'egress_denied', 500, { endpoint: 'http://127.0.0.2:9/{id}' }, { id: '1' }],
    ['provider', 'provider_error', 502, {}, { id: '1' }],
    ['timeout', 'timeout', 504, { timeout_ms: 100 }, { id: 'slow' }],
    ['quality', null, 500, {}, {}],
  ])('passes on %s/%s of an action as %i', async (failure_class, error_code, status, config, given) => {
    await company.action(parent, 'look up', config);
    await routeMode();
    outside.provider.answerWith(() => ask('look_up', given));
    outside.target.answerWith(({ path }) => (path === '/items/slow' ? { hang: true } : { status: 503 }));
    const error = await refusal(company.invoke(parent));
    expect([error.status, error.extras.code ?? null]).toEqual([status, error_code]);
    const task = await company.task(parent, error.extras.headers?.['X-Service-Task-Id'] ?? '');
    expect(task).toMatchObject({ status: 'FAILED', failure_class, error_code });
  });

  it('lets a sub-agent repair an answer that does not fit the response format of its parent', async () => {
    await link();
    await routeMode();
    await rule({ route: { type: 'agent', agent_id: child } });
    const schema = { type: 'object', required: ['t'], properties: { t: { type: 'integer' } } };
    const response_format = { type: 'json_schema' as const, json_schema: { name: 'n', schema } };
    const said = ['sunny', '{"t":"warm"}', '{"t":21}'];
    outside.provider.answerWith(() => said.shift() ?? '');
    const reply = await company.invoke(parent, { message: 'weather?', response_format });
    expect(reply).toMatchObject({ structured_output: { t: 21 } });
    outside.provider.answerWith(() => 'sunny');
    const error = await refusal(company.invoke(parent, { message: 'weather?', response_format }));
    expect([error.status, error.extras.code]).toEqual([422, 'output_schema']);
  });

  it('lets exactly one capability answer when the model chooses', async () => {
    await company.action(parent, 'look up');
    await routeMode();
    outside.provider.answerWith(() => ({
      toolCalls: [
        { name: 'look_up', arguments: { id: '1' } },
        { name: 'look_up', arguments: { id: '2' } },
      ],
    }));
    const reply = await company.invoke(parent);
    expect(reply.choices![0]!.message.content).toBe('{"ok":true}');
    expect([outside.provider.calls.length, outside.target.calls.length]).toEqual([1, 1]);
  });

  it('answers nothing on the route none', async () => {
    await routeMode();
    await call(routing.endpoints.updateRouting, { agent_id: parent, default: { type: 'none' } });
    const reply = await company.invoke(parent);
    expect(reply.choices![0]!.message.content).toBe('');
    expect(outside.provider.calls).toHaveLength(0);
  });

  it('fails clearly when its action is disabled', async () => {
    const action = await company.action(parent, 'look up', {}, { enabled: false });
    await rule({ route: { type: 'action', action_id: action.id } });
    const error = await refusal(company.invoke(parent, { message: 'weather' }));
    expect([error.status, error.extras.code]).toEqual([422, 'invalid_config']);
  });
});

it('asks each kind of step with its own model and prompt', async () => {
  const steps = { orchestrate: { prompt: 'CHOOSE' }, process: { prompt: 'READ' }, respond: { prompt: 'SAY' } };
  const agent_config = { steps, temperature: 0.3, max_tokens: 77 };
  await call(agents.endpoints.updateAgent, { agent_id: parent, agent_config });
  await company.action(parent, 'look up');
  let n = 0;
  outside.provider.answerWith(() => [ask('look_up', { id: '1' }), 'not json', '{}'][n++] ?? '{}');
  await company.invoke(parent, { response_format: { type: 'json_object' } });
  const bodies = outside.provider.calls.map(({ body }) => body as Ask & { temperature: number; max_tokens: number });
  expect(bodies.map((body) => /CHOOSE|READ|SAY/.exec(system(body))?.[0])).toEqual(['CHOOSE', 'READ', 'SAY']);
  expect(bodies[0]).toMatchObject({ temperature: 0.3, max_tokens: 77 });
});
