import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tasks } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { refusal } from '../task-world.js';
import { company, outside } from './fixture.js';

/** While it works, every first of two such writes for the company loses its connection to the database. */
async function losingWrites(write: string, condition: string, work: (tries: () => Promise<number>) => Promise<void>) {
  const { sql } = outside.platform;
  await sql.query(`
    CREATE SEQUENCE agents.lost_writes;
    CREATE FUNCTION agents.lose_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      IF nextval('agents.lost_writes') % 2 = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER lose_write BEFORE ${write} FOR EACH ROW
      WHEN (NEW.company_id = ${company.world.companyId} AND ${condition}) EXECUTE FUNCTION agents.lose_write()`);
  const tries = async () =>
    (await sql.query<{ tries: number }>('SELECT last_value::int AS tries FROM agents.lost_writes')).rows[0]?.tries ?? 0;
  try {
    await work(tries);
  } finally {
    await sql.query('DROP FUNCTION agents.lose_write CASCADE; DROP SEQUENCE agents.lost_writes');
  }
}

describe('an invocation', () => {
  it('runs the actions the model chooses and answers with what it then says', async () => {
    outside.target.answerWith(() => ({ body: '{"price":12}' }));
    const agentId = await company.agent({}, { auth: { type: 'bearer', token: 'plain' } });
    const reply = await company.invoke(agentId, { metadata: { run: 1 } });
    expect(reply).toMatchObject({
      id: reply.task_id,
      object: 'chat.completion',
      model: 'm',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'read: {"price":12}' } }],
    });
    expect(reply.usage!.total_tokens).toBeGreaterThan(0);
    const [call] = outside.target.calls;
    expect(call).toMatchObject({ method: 'POST', path: '/items/7' });
    expect(call!.headers).toMatchObject({
      authorization: 'Bearer plain',
      'idempotency-key': `${reply.task_id}/2`,
    });
    const task = await company.task(agentId, reply.task_id);
    expect(task).toMatchObject({ status: 'COMPLETED', iterations: 2, trigger: 'API', metadata: { run: 1 } });
    expect(task.usage.cost).toBeGreaterThan(0);
    const types = (await company.timeline(agentId, reply.task_id)).data.map(({ type }) => type);
    const back = await outside.platform.bus.call(
      tasks.endpoints.listTaskTimeline,
      { agent_id: agentId, task_id: reply.task_id, offset: 0, limit: 100, sort: '-date_created' },
      company.world.caller(),
    );
    expect(back.data.map(({ type }) => type)).toEqual([...types].reverse());
    expect(types).toEqual([
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
  });

  it('numbers its stream densely from 1, and emits its lifecycle through the outbox', async () => {
    const agentId = await company.agent();
    const { task_id } = await company.invoke(agentId);
    const follow = (last_event_id: number) =>
      outside.platform.bus.call(
        tasks.endpoints.streamTask,
        { agent_id: agentId, task_id, last_event_id },
        company.world.caller(),
      );
    const all = await follow(0);
    expect(all.events.map(({ seq, type }) => `${seq} ${type}`)).toEqual([
      '1 task.started',
      '2 action.started',
      '3 action.completed',
      '4 message.delta',
      '5 task.completed',
    ]);
    expect(all.events[0]!.data).toMatchObject({ type: 'task.started', seq: 1, task_id });
    expect([all.ended, all.subject]).toEqual([true, `live.agents.${task_id}`]);
    expect((await follow(4)).events).toHaveLength(1);
    expect(await follow(5)).toMatchObject({ events: [], ended: true });
    expect((await refusal(follow(6))).status).toBe(400);
    const { rows } = await outside.platform.sql.query(
      `SELECT payload::jsonb->>'event' AS event, payload::jsonb->'data' AS data FROM agents.outbox
       WHERE payload::jsonb->'resource'->>'id' = $1 ORDER BY id`,
      [task_id],
    );
    expect(rows.map(({ event }) => event)).toEqual(['agent_task.queued', 'agent_task.started', 'agent_task.completed']);
    const { input_messages, output, structured_output, first_message, waiting, ...record } = await company.task(
      agentId,
      task_id,
    );
    expect([first_message, waiting, record.cost]).toEqual(['hello', null, record.usage.cost]);
    expect([input_messages.length, output?.role, structured_output]).toEqual([1, 'assistant', null]);
    expect(rows[2].data).toEqual(record);
    const ended = { completed_at: null, duration_ms: null, iterations: 0, cost: null };
    const queued = { status: 'QUEUED', started_at: null, ...ended };
    expect(rows[0].data).toEqual({ ...record, ...queued, usage: expect.anything() as unknown });
  });

  it('emits the state that came with it', async () => {
    const agentId = await company.agent();
    const { task_id } = await company.invoke(agentId, { state: { plan: 'free' } });
    const follow = { agent_id: agentId, task_id, last_event_id: 0 };
    const { events } = await outside.platform.bus.call(tasks.endpoints.streamTask, follow, company.world.caller());
    expect(events.map(({ seq, type }) => `${seq} ${type}`).slice(0, 2)).toEqual(['1 state.updated', '2 task.started']);
    expect(events[0]!.data).toMatchObject({ type: 'state.updated', seq: 1, task_id, changes: { plan: 'free' } });
    const [first] = (await company.timeline(agentId, task_id)).data;
    expect(first).toMatchObject({ type: 'state_update', changes: { plan: 'free' } });
  });

  it('refuses parts of messages with unknown fields', async () => {
    const agentId = await company.agent();
    const send = (...content: object[]) =>
      refusal(company.invoke(agentId, { messages: [{ role: 'user', content: content as never }] }));
    for (const part of [
      { type: 'text', text: 'a', size: 1 },
      { type: 'text', text: 'a', image_url: { url: 'x' } },
      { type: 'image_url', image_url: { url: 'x', detail: 'low' } },
    ]) {
      const error = await send({ type: 'text', text: 'fine' }, part);
      expect([error.status, error.extras.details?.[0]?.field]).toEqual([400, 'messages[0].content']);
    }
  });

  it('refuses messages that models refuse', async () => {
    const agentId = await company.agent();
    const bad = async (message: object) => {
      const messages = [{ role: 'user', content: 'fine' }, message] as never;
      const error = await refusal(company.invoke(agentId, { messages, wait: false }));
      return [error.status, error.extras.details?.[0]?.field];
    };
    expect(await bad({ role: 'user' })).toEqual([400, 'messages[1].content']);
    expect(await bad({ role: 'assistant', content: null })).toEqual([400, 'messages[1].content']);
    expect(await bad({ role: 'tool', content: 'x' })).toEqual([400, 'messages[1].tool_call_id']);
  });

  it('returns at once without waiting, and can be polled', async () => {
    const agentId = await company.agent();
    const queued = await company.invoke(agentId, { wait: false, session_id: 's-1' });
    expect(queued).toEqual({ task_id: queued.task_id, session_id: 's-1', status: 'QUEUED' });
    expect(await company.task(agentId, queued.task_id, 10)).toMatchObject({ status: 'COMPLETED', session_id: 's-1' });
  });

  it('is one task however often it is repeated under one idempotency key', async () => {
    outside.provider.answerWith(() => ({ text: 'slow', latencyMs: 4000 }));
    const agentId = await company.agent();
    const idempotency = { key: 'k', route: `POST /agents/${agentId}/invoke`, bodyHash: 'h' };
    const impatient = company.world.caller({ idempotency, deadline: Date.now() + 4000 });
    const error = await refusal(company.invoke(agentId, {}, impatient));
    expect([error.status, error.extras.headers]).toEqual([
      504,
      { 'X-Service-Task-Id': expect.any(String) as unknown, 'X-Service-Session-Id': expect.any(String) as unknown },
    ]);
    const repeated = () => company.invoke(agentId, {}, company.world.caller({ idempotency }));
    const reply = await repeated();
    expect(reply.task_id).toBe(error.extras.headers!['X-Service-Task-Id']);
    expect(await repeated()).toEqual(reply);
    expect(outside.provider.calls).toHaveLength(1);
  });

  it('remembers the session', async () => {
    outside.provider.answerWith(({ messages }) => `answer ${messages.length}`);
    const agentId = await company.agent();
    await company.invoke(agentId, { session_id: 'talk', message: 'first' });
    await company.invoke(agentId, { session_id: 'talk', message: 'second' });
    expect(outside.bodies()[1]!.messages.map((message) => (message as { content: string }).content)).toEqual([
      'You help.',
      'first',
      'answer 2',
      'second',
    ]);
  });

  it('takes a thousand messages beside the prompt of its agent', async () => {
    const agentId = await company.agent();
    const messages = Array.from({ length: 1000 }, (_, at) => ({ role: 'user' as const, content: `${at}` }));
    const reply = await company.invoke(agentId, { messages });
    expect(reply.choices![0]!.message.content).toBe('read: {"ok":true}');
    expect(outside.bodies()[1]!.messages).toHaveLength(1003);
  });

  it('lets the first call choose the default action', async () => {
    const agentId = await company.agent({}, {}, { is_default: true });
    await company.invoke(agentId);
    expect(outside.bodies().map(({ tool_choice }) => tool_choice)).toEqual([
      { type: 'function', function: { name: 'look_up' } },
      undefined,
    ]);
  });

  it('feeds back only success of an action that completes a task', async () => {
    outside.target.answerWith(() => ({ body: '{"private":1}' }));
    const agentId = await company.agent({}, {}, { action_result_type: 'complete_task' });
    const reply = await company.invoke(agentId);
    expect(reply.choices![0]!.message.content).toBe('read: {"status":"SUCCESS"}');
  });

  it('reads of an answer without an end what the action keeps of it', async () => {
    const endless = createServer((_request, response) => void response.write('x'.repeat(600_000)));
    await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
    const { port } = endless.address() as AddressInfo;
    const agentId = await company.agent({}, { endpoint: `http://127.0.0.1:${port}/items/{id}` });
    const reply = await company.invoke(agentId);
    endless.closeAllConnections();
    endless.close();
    const { content } = reply.choices![0]!.message;
    expect(content).toMatch(/^read: x{65500,} \[cut: \d+ bytes\]$/);
  });

  it('does not wait for a background action, whose result lands on the timeline', async () => {
    outside.target.answerWith(() => ({ latencyMs: 800 }));
    const agentId = await company.agent({}, {}, { invocation_mode: 'background' });
    const reply = await company.invoke(agentId);
    expect(reply.choices![0]!.message.content).toBe('read: {"status":"STARTED"}');
    const types = async () => (await company.timeline(agentId, reply.task_id)).data.map(({ type }) => type);
    expect(await types()).not.toContain('action_result');
    await eventually('the result arrives', async () => (await types()).includes('action_result'));
    expect((await types()).at(-1)).toBe('action_result');
  });

  it('makes each call once when the database is lost while its steps are recorded', async () => {
    const agentId = await company.agent();
    await losingWrites('INSERT ON agents.task_steps', 'true', async (tries) => {
      const { task_id } = await company.invoke(agentId, { wait: false });
      expect(await company.ended(task_id)).toMatchObject({ status: 'COMPLETED' });
      expect([await tries(), outside.provider.calls.length, outside.target.calls.length]).toEqual([6, 2, 1]);
    });
  }, 60_000);

  it('makes a call that fails once when the database is lost while its end is stored', async () => {
    const agentId = await company.agent();
    outside.provider.answerWith(() => ({ error: { status: 400, message: 'no' } }));
    await losingWrites('UPDATE ON agents.tasks', `NEW.status = 'FAILED' AND OLD.status = 'RUNNING'`, async (tries) => {
      const { task_id } = await company.invoke(agentId, { wait: false });
      expect(await company.ended(task_id)).toMatchObject({ status: 'FAILED', failure_class: 'provider' });
      expect([await tries(), outside.provider.calls.length]).toEqual([2, 1]);
    });
  }, 60_000);

  it('makes the call that names a callback once when the database is lost before it waits', async () => {
    const action = { action_type: 'webhook' as const };
    const agentId = await company.agent({}, { mode: 'callback', parameters: {}, endpoint: outside.target.url }, action);
    outside.provider.answerWith(() => ({ toolCalls: [{ name: 'look_up', arguments: {} }] }));
    const waits = `NEW.status = 'WAITING_WEBHOOK' AND OLD.status = 'RUNNING'`;
    await losingWrites('UPDATE ON agents.tasks', waits, async (tries) => {
      expect(await company.invoke(agentId)).toMatchObject({ status: 'WAITING_WEBHOOK' });
      expect([await tries(), outside.target.calls.length]).toEqual([2, 1]);
    });
  }, 60_000);

  it('runs an llm action through the same provider', async () => {
    outside.provider.answerWith(({ messages }) => {
      const [first] = messages;
      if (first?.content === 'Translate to French') return 'bonjour';
      const last = messages.at(-1);
      return last?.role === 'tool'
        ? String(last.content)
        : { toolCalls: [{ name: 'say', arguments: { lang: 'French' } }] };
    });
    const { id } = await company.world.agent({ model: 'm' });
    await company.world.action(id, 'say', { action_type: 'llm', action_config: { prompt: 'Translate to {lang}' } });
    expect((await company.invoke(id)).choices![0]!.message.content).toBe('bonjour');
  });
});
