import { agentSessions, type ApiError, formFields, hooks, tasks } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { type TaskCompany, TaskWorld } from './task-world.js';

let outside: TaskWorld;
let company: TaskCompany;
beforeAll(async () => {
  // Secrets of a killed process are given up after half of it.
  outside = await TaskWorld.apart({ WORK_LEASE_SECONDS: '10' });
}, 60_000);
afterAll(() => outside.stop());
beforeEach(async () => {
  company = await outside.company();
  outside.reset();
  orderOnce();
});

/** A model that orders something once and then says what came of it. */
function orderOnce(given: Record<string, unknown> = { id: '7' }): void {
  outside.provider.answerWith(({ messages }) => {
    const last = messages.at(-1);
    return last?.role === 'tool'
      ? `got: ${String(last.content)}`
      : { toolCalls: [{ name: 'order', arguments: given }] };
  });
}

const ordering = async (config: Record<string, unknown> = {}, agent = {}) => {
  const { id } = await company.world.agent({ model: 'm', ...agent });
  const body = { id: '{id}', reply_to: '{{callback_url}}' };
  await company.action(id, 'order', { mode: 'callback', body, ...config }, { action_type: 'webhook' });
  return id;
};
const urlIn = (index = 0): string =>
  (JSON.parse(outside.target.calls[index]!.body.toString()) as { reply_to: string }).reply_to;
const keyIn = (index = 0): string => urlIn(index).split('/').at(-1) ?? '';
/** As the gateway calls it: a callback has no API key. */
const callBack = (hook_key: string, payload: unknown) =>
  outside.platform.bus.call(
    hooks.endpoints.answerHook,
    { hook_key, payload },
    outside.platform.caller(1, { companyId: 0, scopes: [] }),
  );
/** Calls back as a caller that honours `Retry-After`: 503 says that no process with the secrets has replied in time. */
const calledBack = (hook_key: string, payload: unknown): Promise<unknown> =>
  eventually('the callback is taken', () =>
    callBack(hook_key, payload).catch((error: ApiError) => {
      if (error.status !== 503) throw error;
    }),
  );
const statusOf = (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: ApiError) => error.status,
  );
const stored = async (text: string): Promise<number> => {
  const { rows } = await outside.platform.sql.query<{ table_name: string }>(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = 'agents'`,
  );
  let hits = 0;
  for (const { table_name } of rows) {
    const found = await outside.platform.sql.query(
      `SELECT 1 FROM agents."${table_name}" t WHERE strpos(to_jsonb(t)::text, $1) > 0`,
      [text],
    );
    hits += found.rowCount ?? 0;
  }
  return hits;
};

describe('a task that waits for a callback', () => {
  it('returns that it waits, holds no worker, and continues with the result of the callback', async () => {
    const agentId = await ordering();
    const waiting = await company.invoke(agentId);
    expect(waiting).toEqual({
      task_id: waiting.task_id,
      session_id: waiting.session_id,
      status: 'WAITING_WEBHOOK',
      hook_expires_at: expect.any(Number) as unknown,
    });
    expect(urlIn()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/hooks\/agents\/[A-Za-z0-9_-]{43}$/);
    expect(await stored(keyIn())).toBe(0);
    const { rows } = await outside.platform.sql.query(
      `SELECT done_at IS NOT NULL AS done FROM agents.work WHERE ref = $1 AND kind = 'agent_task'`,
      [waiting.task_id],
    );
    expect(rows).toEqual([{ done: true }]);
    expect(await callBack(keyIn(), { state: 'shipped' })).toEqual({ resumed: true });
    expect(await company.ended(waiting.task_id)).toMatchObject({
      status: 'COMPLETED',
      output: { content: 'got: {"state":"shipped"}' },
    });
    expect(outside.target.calls).toHaveLength(1);
    expect(await statusOf(callBack(keyIn(), {}))).toBe(404);
    const types = (await company.timeline(agentId, waiting.task_id)).data.map(({ type }) => type);
    expect(types).toEqual([
      'task_start',
      'message',
      'model_called',
      'model_answered',
      'action_invoked',
      'waiting_webhook',
      'action_result',
      'model_called',
      'model_answered',
      'task_end',
      'message',
    ]);
    const events = await outside.platform.bus.call(
      tasks.endpoints.streamTask,
      { agent_id: agentId, task_id: waiting.task_id, last_event_id: 0 },
      company.world.caller(),
    );
    expect(events.events.map(({ type }) => type)).toEqual([
      'task.started',
      'action.started',
      'task.waiting',
      'action.completed',
      'message.delta',
      'task.completed',
    ]);
    const emitted = await outside.platform.sql.query<{ event: string }>(
      `SELECT payload::jsonb->>'event' AS event FROM agents.outbox WHERE payload::jsonb->'resource'->>'id' = $1 ORDER BY id`,
      [waiting.task_id],
    );
    expect(emitted.rows.map(({ event }) => event)).toContain('agent_task.waiting');
  });

  it('has worked as long as before when its callback comes', async () => {
    const agentId = await ordering();
    const { task_id } = await company.invoke(agentId);
    const { sql } = outside.platform;
    await sql.query(`UPDATE agents.task_steps SET duration_ms = 31 * 60000 WHERE task_id = $1 AND kind = 'model'`, [
      task_id,
    ]);
    await callBack(keyIn(), 'late');
    expect(await company.ended(task_id)).toMatchObject({ status: 'FAILED', error_code: 'timeout' });
  });

  it('takes one of twenty callbacks that come at once', async () => {
    const agentId = await ordering();
    const { task_id } = await company.invoke(agentId);
    const statuses = await Promise.all(Array.from({ length: 20 }, (_, n) => statusOf(callBack(keyIn(), { n }))));
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 19 }, () => 404)]);
    expect(await company.ended(task_id)).toMatchObject({ status: 'COMPLETED' });
    expect(outside.provider.calls).toHaveLength(2);
  });

  it('takes a callback that is faster than the answer of the call', async () => {
    const agentId = await ordering();
    outside.target.answerWith(async () => {
      await callBack(keyIn(), 'early');
      return {};
    });
    const reply = await company.invoke(agentId);
    expect(reply.choices![0]!.message.content).toBe('got: early');
  });

  it('takes a callback that comes before its call fails', async () => {
    const agentId = await ordering();
    outside.target.answerWith(async () => {
      await callBack(keyIn(), 'early');
      return { status: 500 };
    });
    const reply = await company.invoke(agentId);
    expect(reply.choices![0]!.message.content).toBe('got: early');
  });

  it('takes the beginning of a large callback, whatever characters it has', async () => {
    const agentId = await ordering();
    const { task_id } = await company.invoke(agentId);
    // Both halves of the first emoji stand where a text of 64 Ki units ends.
    await callBack(keyIn(), `${'x'.repeat(65_534)}${'😀'.repeat(100)}`);
    const { output } = await company.ended(task_id);
    expect((output as { content: string }).content).toMatch(/^got: "x+ \[cut: \d+ bytes\]$/);
  });

  it('shows on its stream what an API caller sets meanwhile', async () => {
    const agentId = await ordering();
    const field = { field_key: 'mood', label: 'Mood', field_type: 'string' as const, required: false };
    const scopes = { read_scope: 'all' as const, write_scope: 'all' as const };
    const { bus } = outside.platform;
    const input = { agent_id: agentId, ...field, ...scopes };
    await bus.call(formFields.endpoints.createFormField, input, company.world.caller());
    const { task_id, session_id } = await company.invoke(agentId);
    const change = { agent_id: agentId, session_id, state: { mood: 'good' } };
    await bus.call(agentSessions.endpoints.updateAgentSessionState, change, company.world.caller());
    await callBack(keyIn(), 'done');
    await company.ended(task_id);
    const part = { agent_id: agentId, task_id, last_event_id: 0 };
    const { events } = await bus.call(tasks.endpoints.streamTask, part, company.world.caller());
    const types = events.map(({ type }) => type);
    expect(types.slice(0, 4)).toEqual(['task.started', 'action.started', 'task.waiting', 'state.updated']);
    expect(types.at(-1)).toBe('task.completed');
  });

  it('does not wait when the call fails, and its hook is dead', async () => {
    const agentId = await ordering();
    outside.target.answerWith(() => ({ status: 500 }));
    const reply = await company.invoke(agentId);
    expect(reply.choices![0]!.message.content).toContain('the target answered 500');
    expect(await statusOf(callBack(keyIn(), {}))).toBe(404);
  });

  it('fails without a callback in time', async () => {
    const agentId = await ordering({ ttl_seconds: 60 });
    const { task_id } = await company.invoke(agentId);
    await outside.platform.sql.query(`UPDATE agents.task_hooks SET expires_at = 1 WHERE task_id = $1`, [task_id]);
    expect(await statusOf(callBack(keyIn(), {}))).toBe(404);
    await outside.platform.sql.query(
      `UPDATE agents.work SET due_at = now() WHERE kind = 'agent_hook' AND ref LIKE $1 || '/%'`,
      [task_id],
    );
    expect(await company.ended(task_id)).toMatchObject({
      status: 'FAILED',
      failure_class: 'timeout',
      error_code: 'webhook_ttl',
    });
  });

  it('fails without a callback in time also when its call takes longer', async () => {
    const agentId = await ordering({ ttl_seconds: 60, timeout_ms: 120_000 });
    outside.target.answerWith(async () => {
      const { sql } = outside.platform;
      const { companyId } = company.world;
      await sql.query('UPDATE agents.task_hooks SET expires_at = 1 WHERE company_id = $1', [companyId]);
      const hookWork = `agents.work WHERE kind = 'agent_hook' AND company_id = $1`;
      await sql.query(`UPDATE agents.work SET due_at = now() WHERE id IN (SELECT id FROM ${hookWork})`, [companyId]);
      await eventually('the expiry is checked', async () => {
        const { rowCount } = await sql.query(
          `SELECT 1 FROM ${hookWork} AND lease_owner IS NULL AND (done_at IS NOT NULL OR due_at > now())`,
          [companyId],
        );
        return rowCount === 1;
      });
      return {};
    });
    const { task_id } = await company.invoke(agentId, { wait: false });
    expect(await company.ended(task_id)).toMatchObject({ status: 'FAILED', error_code: 'webhook_ttl' });
  });

  it('can be cancelled; its callback then finds nothing', async () => {
    const agentId = await ordering();
    const { task_id } = await company.invoke(agentId);
    const input = { agent_id: agentId, task_id };
    const task = await outside.platform.bus.call(tasks.endpoints.cancelTask, input, company.world.caller());
    expect(task.status).toBe('CANCELLED');
    expect(await statusOf(callBack(keyIn(), {}))).toBe(404);
  });

  it.each(['', 'x', 'A'.repeat(43), "' OR 1=1 --"])('knows no hook %j', async (key) => {
    expect([400, 404]).toContain(await statusOf(callBack(key, {})));
  });

  it('never expands the placeholder in the text of a model or a user', async () => {
    orderOnce({ id: '{{callback_url}}' });
    const agentId = await ordering({ parameters: { id: { type: 'string' } }, endpoint: `${outside.target.url}/x` });
    const { task_id } = await company.invoke(agentId, { message: 'tell me {{callback_url}}' });
    expect(JSON.parse(outside.target.calls[0]!.body.toString())).toMatchObject({ id: '{{callback_url}}' });
    await callBack(keyIn(), '{{callback_url}} {{secrets.TOKEN}}');
    await company.ended(task_id);
    const seen = JSON.stringify(outside.provider.calls.map(({ body }) => body));
    expect(seen).not.toContain(keyIn());
  });
});

describe('a task with secrets that waits for a callback', () => {
  const auth = { type: 'bearer', token: '{{secrets.TOKEN}}' };
  const TOKEN = 'very-secret-token-42';

  it('keeps them out of what the callback brings, before and after', async () => {
    const agentId = await ordering({ auth });
    const { task_id } = await company.invoke(agentId, { secrets: { TOKEN } });
    expect(outside.target.calls[0]!.headers['authorization']).toBe(`Bearer ${TOKEN}`);
    await callBack(keyIn(), { echo: `Bearer ${TOKEN}` });
    expect(await company.ended(task_id)).toMatchObject({ output: { content: 'got: {"echo":"Bearer [secret]"}' } });
    expect(await stored(TOKEN)).toBe(0);
  });

  it('ends as secrets_unavailable when their holder has died meanwhile', async () => {
    const agentId = await ordering({ auth });
    const { task_id } = await company.invoke(agentId, { secrets: { TOKEN } });
    await outside.platform.service('agents').kill('SIGKILL');
    await outside.platform.service('agents').start();
    await eventually('the service answers', () =>
      company.task(agentId, task_id).then(
        () => true,
        () => false,
      ),
    );
    // A callback for a task that cannot continue is refused: the hook stays open until the task has ended.
    const refused = await statusOf(callBack(keyIn(), { echo: TOKEN }));
    const { status } = await company.task(agentId, task_id);
    expect([503, ...(status === 'FAILED' ? [404] : [])]).toContain(refused);
    expect(await company.ended(task_id, 40_000)).toMatchObject({ status: 'FAILED', error_code: 'secrets_unavailable' });
    expect(await statusOf(callBack(keyIn(), { echo: TOKEN }))).toBe(404);
    expect(await stored(TOKEN)).toBe(0);
  }, 60_000);

  it('continues in another process when its own is stopped', async () => {
    const agentId = await ordering({ auth });
    const waiting = await company.invoke(agentId, { secrets: { TOKEN } });
    await outside.platform.startService('agents', 'agents-2');
    await outside.platform.service('agents').kill('SIGTERM');
    await calledBack(keyIn(), { echo: TOKEN });
    expect(await company.ended(waiting.task_id)).toMatchObject({
      status: 'COMPLETED',
      output: { content: 'got: {"echo":"[secret]"}' },
    });
    // And once more, by a process that was given them itself.
    orderOnce();
    const again = await company.invoke(agentId, { secrets: { TOKEN } });
    await outside.platform.service('agents').start();
    await outside.platform.service('agents-2').kill('SIGTERM');
    await calledBack(keyIn(1), { echo: TOKEN });
    expect(await company.ended(again.task_id)).toMatchObject({ status: 'COMPLETED' });
    expect(await stored(TOKEN)).toBe(0);
  }, 60_000);
});
