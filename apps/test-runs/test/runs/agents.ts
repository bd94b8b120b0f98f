import { actions, agentTests, agentVersions, type ApiError, hooks, tasks } from '@signalbox/contracts';
import { eventually, startHttpTarget } from '@signalbox/testing';
import type { RunCompany, RunWorld } from '../run-world.js';

/** Runs against agents. */
export function agentRuns(world: () => RunWorld): void {
  let company: RunCompany;
  beforeAll(async () => {
    company = await world().company();
  });
  beforeEach(() =>
    world().provider.answerWith(({ messages }) =>
      messages.map(({ role, content }) => `${role}:${String(content)}`).join('|'),
    ),
  );
  const publish = (agent_id: number) =>
    world().platform.bus.call(
      agentVersions.endpoints.publishVersion,
      { agent_id, increment: 'minor', version_notes: '' },
      company.world.caller(),
    );

  const createAction = (agent_id: number, action_name: string, action_type: string, action_config: object) =>
    world().platform.bus.call(
      actions.endpoints.createAction,
      {
        ...{ agent_id, action_name, action_type, action_config },
        description: 'd',
        enabled: true,
        meta: {},
        is_default: false,
        action_result_type: 'gather_info',
        invocation_mode: 'foreground',
      } as never,
      company.world.caller(),
    );

  it('use the version of the time when they were prepared, and its tasks have the trigger TEST', async () => {
    const agent = await company.agent({ system_prompt: 'S' });
    await publish(agent.id);
    const set = await company.set('Agent', { hello: 'system:S|user:hello' });
    const { id } = await company.create(set, {
      consumer_kind: 'AGENT',
      consumer_config: { agent_id: agent.id, version: 'latest' },
      auto_score: true,
    });
    await company.prepare(id);
    await publish(agent.id);
    await company.execute(id);
    expect(await company.completed(id)).toMatchObject({
      consumer_id: agent.id,
      consumer_version: '1.0.0',
      failed_items: 0,
    });
    const [item] = (await company.items(id)).data;
    expect(item?.adapted_input).toEqual({ message: 'hello' });
    expect(item?.actual_output).toMatchObject({ text: expect.stringContaining('user:hello') as string });
    const task = await world().platform.bus.call(
      tasks.endpoints.getAnyTask,
      { task_id: item?.source_ref?.agent_task_id ?? '', wait_seconds: 0 },
      company.world.caller(),
    );
    expect(task).toMatchObject({ trigger: 'TEST', version: '1.0.0', metadata: { test_run_id: id } });
  });

  it('need the secrets of the agent, and pass them on', async () => {
    const agent = await company.agent({ agent_name: 'Secretive' });
    await createAction(agent.id, 'look up', 'api', {
      endpoint: 'https://api.example.com/x',
      headers: { 'X-Key': '{{secrets.TOKEN}}' },
      mock_response: { ok: true },
    });
    const set = await company.set('Secrets', { a: null, b: null, c: null });
    const { id } = await company.create(set, { consumer_kind: 'AGENT', consumer_config: { agent_id: agent.id } });
    await company.prepare(id);
    const missing = await company.execute(id, 2).catch((error: ApiError) => error);
    expect(missing).toMatchObject({ status: 400, message: 'missing secrets: TOKEN' });
    await company.execute(id, 2, { TOKEN: 'canary-7261', OTHER: 'unused' });
    expect(await company.completed(id)).toMatchObject({ completed_items: 3, failed_items: 0 });
    // Nothing has failed: neither the secrets nor the agent are needed.
    expect(await company.reset(id)).toMatchObject({ id, status: 'COMPLETED', reset_count: 0 });
    const { rows } = await world().platform.sql.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM "test-runs".run_attempts a WHERE row_to_json(a)::text LIKE '%canary-7261%'`,
    );
    expect(rows[0]?.n).toBe(0);
  });

  it('end an item with the class of its task', async () => {
    world().provider.answerWith(() => ({ error: { status: 400, message: 'no' } }));
    const agent = await company.agent({ agent_name: 'Failing' });
    const set = await company.set('Failing', { a: null });
    const run = await company.run(set, { consumer_kind: 'AGENT', consumer_config: { agent_id: agent.id } });
    const [item] = (await company.items(run.id)).data;
    expect(item).toMatchObject({ status: 'FAILED', failure_class: 'provider', error_code: 'provider_error' });
    expect(item?.source_ref?.agent_task_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('wait for the callback that a task waits for', async () => {
    const { platform, provider } = world();
    provider.answerWith(({ messages }) => {
      const last = messages.at(-1);
      return last?.role === 'tool' ? `got: ${String(last.content)}` : { toolCalls: [{ name: 'order', arguments: {} }] };
    });
    const target = await startHttpTarget();
    try {
      const agent = await company.agent({ agent_name: 'Waiting' });
      await createAction(agent.id, 'order', 'webhook', {
        endpoint: target.url,
        mode: 'callback',
        body: { reply_to: '{{callback_url}}' },
      });
      const { id } = await company.create(await company.set('Waiting', { a: null }), {
        consumer_kind: 'AGENT',
        consumer_config: { agent_id: agent.id },
      });
      await company.prepare(id);
      await company.execute(id);
      await eventually('the task waits', async () => {
        const waiting = `SELECT 1 FROM agents.tasks WHERE agent_id = $1 AND status = 'WAITING_WEBHOOK'`;
        return (await platform.sql.query(waiting, [agent.id])).rowCount === 1;
      });
      const { reply_to } = JSON.parse(target.calls[0]!.body.toString()) as { reply_to: string };
      await platform.bus.call(
        hooks.endpoints.answerHook,
        { hook_key: reply_to.split('/').at(-1) ?? '', payload: { state: 'shipped' } },
        platform.caller(1, { companyId: 0, scopes: [] }),
      );
      expect(await company.completed(id)).toMatchObject({ completed_items: 1, failed_items: 0 });
      const [item] = (await company.items(id)).data;
      expect(item?.actual_output).toEqual({ text: 'got: {"state":"shipped"}' });
      // As a worker that continues the item would find it.
      const task_id = item?.source_ref?.agent_task_id ?? '';
      const caller = company.world.caller();
      const task = await platform.bus.call(tasks.endpoints.getAnyTask, { task_id, wait_seconds: 0 }, caller);
      const call = { task_id, agent_id: agent.id, message: 'a', secrets: {}, wait: true, stream: false };
      const { runTest } = agentTests.endpoints;
      expect(await platform.bus.call(runTest, { ...call, state: {}, metadata: {} }, caller)).toMatchObject({
        ...{ status: 'COMPLETED', duration_ms: task.duration_ms },
      });
    } finally {
      await target.close();
    }
  });

  it('leave an item whose input has no message of a user out, and adapt it again after a reset', async () => {
    const agent = await company.agent({ agent_name: 'Adapted' });
    const set = await company.set('Adapters', { a: null });
    const { sql } = world().platform;
    await sql.query(`UPDATE "test-runs".test_set_items SET input = $2 WHERE test_set_id = $1`, [
      set,
      JSON.stringify({ messages: [{ role: 'system', content: 'x' }] }),
    ]);
    const run = await company.run(set, { consumer_kind: 'AGENT', consumer_config: { agent_id: agent.id } });
    expect((await company.items(run.id)).data[0]).toMatchObject({
      status: 'FAILED',
      failure_class: 'adapter',
      attempts: 0,
      error_message: 'input.messages have no message of a user',
    });
    await sql.query(`UPDATE "test-runs".test_set_items SET input = $2 WHERE test_set_id = $1`, [
      set,
      JSON.stringify({ messages: [{ role: 'user', content: 'x' }] }),
    ]);
    expect(await company.reset(run.id, ['adapter'])).toMatchObject({ reset_count: 1 });
    expect(await company.completed(run.id)).toMatchObject({ completed_items: 1, failed_items: 0 });
  });

  it('end their rest when the process that held their secrets is gone', async () => {
    // Secrets of a killed process are given up after half of it.
    await world().platform.restartService('test-runs', { WORK_LEASE_SECONDS: '10' });
    const agent = await company.agent({ agent_name: 'Lost' });
    await createAction(agent.id, 'look up', 'api', {
      endpoint: 'https://api.example.com/x',
      headers: { 'X-Key': '{{secrets.TOKEN}}' },
    });
    const set = await company.set('Lost', { a: null, b: null, c: null, d: null });
    let asked = 0;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    world().provider.answerWith(async () => {
      asked += 1;
      await held;
      return 'ok';
    });
    const { id } = await company.create(set, { consumer_kind: 'AGENT', consumer_config: { agent_id: agent.id } });
    await company.prepare(id);
    await company.execute(id, 2, { TOKEN: 'canary-9911' });
    await eventually('two items are executed', () => asked >= 2);
    await world().platform.service('test-runs').kill();
    await world().platform.service('test-runs').start();
    expect(await company.completed(id, 90_000)).toMatchObject({ completed_items: 0, failed_items: 4 });
    await eventually('their tasks are cancelled', async () => {
      const { rows } = await world().platform.sql.query<{ status: string }>(
        'SELECT DISTINCT status FROM agents.tasks WHERE agent_id = $1',
        [agent.id],
      );
      return rows.map(({ status }) => status).join() === 'CANCELLED';
    });
    release();
    const { data } = await company.items(id);
    expect(new Set(data.map(({ failure_class, error_code }) => `${failure_class} ${error_code}`))).toEqual(
      new Set(['internal secrets_unavailable']),
    );
  }, 150_000);
}
