import { agents, hooks, type Page, subAgents, type Task, tasks } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { PAGE } from './world.js';
import {
  ask,
  asksOnce,
  call,
  child,
  childrenOf,
  company,
  lastOf,
  link,
  outside,
  parent,
  refusal,
  streamed,
  system,
} from './sub-agents/fixture.js';
import './sub-agents/routing.js';
import './sub-agents/session-state.js';

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

  it('counts for those above it also when an action in its background ends after them', async () => {
    await link();
    const llm = { prompt: 'You are NOTE.', model_config: { model: 'm' } };
    const note = { action_type: 'llm', invocation_mode: 'background', action_config: llm } as const;
    await company.action(child, 'note', {}, note);
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    outside.provider.answerWith(async (request) => {
      const last = lastOf(request);
      if (JSON.stringify(request.messages).includes('NOTE')) return held.then(() => 'noted');
      if (last?.role === 'tool') return `result: ${String(last.content)}`;
      return system(request).startsWith('CHILD')
        ? ask('note', { input: 'x' })
        : ask('Weather_desk', { message: 'Rome' });
    });
    const { task_id } = await company.invoke(parent);
    const spent = async () => {
      const [above, below] = [await company.row(task_id), (await childrenOf(task_id))[0]!];
      return [above, below].map((row) => [Number(row['total_tokens']), Number(row['cost'])] as const);
    };
    const [above, below] = await spent();
    letGo();
    await eventually('the action is counted', async () => (await spent())[1]![0] > below![0]);
    const [aboveAfter, belowAfter] = await spent();
    for (const at of [0, 1]) expect(aboveAfter![at]! - above![at]!).toBeCloseTo(belowAfter![at]! - below![at]!, 9);
  });

  it('counts for its parent also when that is cancelled meanwhile', async () => {
    await link();
    await company.action(child, 'look up', { parameters: {}, endpoint: `${outside.target.url}/held` });
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    outside.target.answerWith(() => held.then(() => ({})));
    outside.provider.answerWith((request) =>
      system(request).startsWith('CHILD') ? ask('look_up', {}) : ask('Weather_desk', { message: 'Rome' }),
    );
    const { task_id } = await company.invoke(parent, { wait: false });
    await eventually('the child acts', () => outside.target.calls.length > 0);
    const before = Number((await company.row(task_id))['total_tokens']);
    await call(tasks.endpoints.cancelTask, { agent_id: parent, task_id });
    const used = Number((await childrenOf(task_id))[0]!['total_tokens']);
    expect(used).toBeGreaterThan(0);
    expect(Number((await company.row(task_id))['total_tokens'])).toBe(before + used);
    letGo();
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
  });
});
