import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  actions,
  agents,
  agentSessions,
  type ApiError,
  completions,
  models,
  operator,
  tasks,
} from '@signalbox/contracts';
import { eventually, startHttpTarget, timeScale } from '@signalbox/testing';
import { lookUpOnce, type TaskCompany, TaskWorld } from './task-world.js';
import { PAGE } from './world.js';

let outside: TaskWorld;
let company: TaskCompany;
beforeAll(async () => {
  outside = await TaskWorld.start();
}, 60_000);
afterAll(() => outside.stop());
beforeEach(async () => {
  company = await outside.company();
  outside.reset();
  lookUpOnce(outside.provider);
});

const bodies = () => outside.provider.calls.map(({ body }) => body as { messages: unknown[]; [key: string]: unknown });
const refusal = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: ApiError) => error,
  );

describe('the calls of one session', () => {
  it('run one after the other in the order of their acceptance, each knowing the answers before it', async () => {
    const agentId = await company.agent();
    let running = 0;
    let most = 0;
    const seen: string[] = [];
    outside.provider.answerWith(async ({ messages }) => {
      most = Math.max(most, ++running);
      seen.push(JSON.stringify(messages.filter(({ role }) => role !== 'system').map(({ content }) => content)));
      await new Promise((resolve) => setTimeout(resolve, 50));
      running--;
      return { text: `answer ${seen.length}` };
    });
    const ids: string[] = [];
    for (let at = 1; at <= 4; at++) {
      const call = await company.invoke(agentId, { session_id: 'turns', wait: false, message: `call ${at}` });
      ids.push(call.task_id);
    }
    await Promise.all(ids.map((id) => company.ended(id)));
    expect(most).toBe(1);
    expect(JSON.parse(seen[3]!)).toEqual([...[1, 2, 3].flatMap((at) => [`call ${at}`, `answer ${at}`]), 'call 4']);
  });

  it('that repeat the conversation are remembered once, and only what fits into the context of the model', async () => {
    const agentId = await company.agent();
    const { bus } = outside.platform;
    let turns = 0;
    outside.provider.answerWith(() => `answer ${++turns}`);
    const heard = () =>
      bodies()
        .at(-1)
        ?.messages.map((message) => (message as { content: string }).content);
    const conversation: { role: 'user' | 'assistant'; content: string }[] = [];
    for (const content of ['one', 'two']) {
      conversation.push({ role: 'user', content });
      const { choices } = await bus.call(
        completions.endpoints.createCompletion,
        { model: `agent:${agentId}`, session_id: 'mixed', messages: [...conversation], return_evaluation: false },
        company.world.caller(),
      );
      conversation.push((choices as { message: { role: 'assistant'; content: string } }[])[0]!.message);
    }
    await company.invoke(agentId, { session_id: 'mixed', message: 'three' });
    const first = ['You help.', 'one', 'answer 1', 'two', 'answer 2', 'three'];
    expect(heard()).toEqual(first);
    const messages = [...conversation, { role: 'user' as const, content: 'four' }];
    await company.invoke(agentId, { session_id: 'mixed', messages });
    expect(heard()).toEqual(['You help.', 'three', 'answer 3', 'one', 'answer 1', 'two', 'answer 2', 'four']);
    const { data } = await bus.call(models.endpoints.listModels, PAGE as never, company.world.caller());
    const model_id = data.find(({ model_name }) => model_name === 'm')?.id;
    const small = { model_id, context_window: 600 } as never;
    await bus.call(models.endpoints.updateModel, small, company.world.caller());
    await company.invoke(agentId, { session_id: 'mixed', message: 'five'.repeat(400) });
    expect(heard()?.[0]).toBe('You help.');
    expect(heard()?.at(-1)).toBe('five'.repeat(400));
    expect(heard()?.length).toBeLessThan(8);
  });

  it('do not wait for a call of another session, nor for one that was cancelled', async () => {
    const agentId = await company.agent();
    outside.provider.answerWith(({ messages }) =>
      messages.some(({ content }) => content === 'hang') ? { hang: true } : { text: 'here' },
    );
    const first = await company.invoke(agentId, { session_id: 'held', wait: false, message: 'hang' });
    await eventually('the model is asked', () => outside.provider.calls.length === 1);
    const second = await company.invoke(agentId, { session_id: 'held', wait: false });
    expect(await company.invoke(agentId, { session_id: 'other' })).toMatchObject({ session_id: 'other' });
    expect(await company.row(second.task_id)).toMatchObject({ status: 'QUEUED' });
    const cancelled = { agent_id: agentId, task_id: first.task_id };
    await outside.platform.bus.call(tasks.endpoints.cancelTask, cancelled, company.world.caller());
    expect(await company.ended(second.task_id)).toMatchObject({ status: 'COMPLETED' });
  });

  it('start when the one before ends while they are being queued', async () => {
    const agentId = await company.agent();
    outside.provider.answerWith(({ messages }) =>
      messages.some(({ content }) => content === 'hang') ? { hang: true } : { text: 'here' },
    );
    const { task_id } = await company.invoke(agentId, { session_id: 'ending', wait: false, message: 'hang' });
    await eventually('the model is asked', () => outside.provider.calls.length === 1);
    const ending = await outside.platform.sql.connect();
    try {
      // An end that has looked for the next task of the session before there was one, and is not committed yet.
      await ending.query('BEGIN');
      const end = `UPDATE agents.tasks SET status = 'CANCELLED', completed_at = 1 WHERE id = $1`;
      await ending.query(end, [task_id]);
      const next = await company.invoke(agentId, { session_id: 'ending', wait: false });
      await eventually('it was looked at', async () => {
        const { rows } = await outside.platform.sql.query<{ fence: number }>(
          'SELECT fence::int AS fence FROM agents.work WHERE ref = $1',
          [next.task_id],
        );
        return (rows[0]?.fence ?? 0) > 1;
      });
      expect(await company.row(next.task_id)).toMatchObject({ status: 'QUEUED' });
      await ending.query('COMMIT');
      expect(await company.ended(next.task_id, 10_000)).toMatchObject({ status: 'COMPLETED' });
    } finally {
      await ending.query('ROLLBACK');
      ending.release();
    }
  });

  it('are refused with 409 when they were queued for too long', async () => {
    const agentId = await company.agent();
    outside.provider.answerWith(() => ({ hang: true }));
    await company.invoke(agentId, { session_id: 'stuck', wait: false });
    await eventually('the model is asked', () => outside.provider.calls.length === 1);
    const second = refusal(company.invoke(agentId, { session_id: 'stuck', message: 'second' }));
    const queued = `agent_id = ${agentId} AND status = 'QUEUED'`;
    await eventually('it is queued', async () => {
      const { rowCount } = await outside.platform.sql.query(
        `UPDATE agents.tasks SET date_created = 1 WHERE ${queued} AND id IN (
           SELECT w.ref::uuid FROM agents.work w WHERE w.kind = 'agent_task' AND w.lease_owner IS NULL AND w.due_at > now())
         RETURNING id`,
      );
      return rowCount;
    });
    await outside.platform.sql.query(
      `UPDATE agents.work SET due_at = now() WHERE ref IN (SELECT id::text FROM agents.tasks WHERE ${queued})`,
    );
    expect(await second).toMatchObject({ status: 409, message: 'session busy' });
  });
});

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
    expect(bodies()[1]!.messages.map((message) => (message as { content: string }).content)).toEqual([
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
    expect(bodies()[1]!.messages).toHaveLength(1003);
  });

  it('lets the first call choose the default action', async () => {
    const agentId = await company.agent({}, {}, { is_default: true });
    await company.invoke(agentId);
    expect(bodies().map(({ tool_choice }) => tool_choice)).toEqual([
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
    await outside.platform.sql.query(`
      CREATE SEQUENCE agents.lost_steps;
      CREATE FUNCTION agents.lose_step() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        IF nextval('agents.lost_steps') % 2 = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER lose_step BEFORE INSERT ON agents.task_steps FOR EACH ROW
        WHEN (NEW.company_id = ${company.world.companyId}) EXECUTE FUNCTION agents.lose_step()`);
    try {
      const { task_id } = await company.invoke(agentId, { wait: false });
      expect(await company.ended(task_id)).toMatchObject({ status: 'COMPLETED' });
      const { rows } = await outside.platform.sql.query('SELECT last_value::int AS tries FROM agents.lost_steps');
      expect([rows, outside.provider.calls.length, outside.target.calls.length]).toEqual([[{ tries: 6 }], 2, 1]);
    } finally {
      await outside.platform.sql.query('DROP FUNCTION agents.lose_step CASCADE; DROP SEQUENCE agents.lost_steps');
    }
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

describe('an invocation without an answer', () => {
  it('is 422 when the iterations are used up', async () => {
    outside.provider.answerWith(() => ({ toolCalls: [{ name: 'look_up', arguments: { id: '1' } }] }));
    const agentId = await company.agent();
    const error = await refusal(company.invoke(agentId, { max_iterations: 2 }));
    expect([error.status, error.extras.code]).toEqual([422, 'max_iterations']);
    expect(outside.provider.calls).toHaveLength(2);
  });

  it('is 422 when it has cost more than allowed', async () => {
    const agentId = await company.agent();
    const error = await refusal(company.invoke(agentId, { max_cost: 0.000_000_1 }));
    expect([error.status, error.extras.code]).toEqual([422, 'budget_exceeded']);
  });

  it('is 502 when the provider is down', async () => {
    outside.provider.answerWith(() => ({ error: { status: 500 } }));
    const agentId = await company.agent();
    const error = await refusal(company.invoke(agentId));
    expect(error.status).toBe(502);
    const task = await company.row(error.extras.headers!['X-Service-Task-Id']!);
    expect(task).toMatchObject({ status: 'FAILED', failure_class: 'provider', error_code: 'provider_error' });
  });

  it('is 409 for a disabled agent, 404 for an unknown agent, version or release', async () => {
    const agentId = await company.agent({ status: 'DISABLED' });
    expect((await refusal(company.invoke(agentId))).status).toBe(409);
    expect((await refusal(company.invoke(agentId, { version: '9.9.9' }))).status).toBe(404);
    expect((await refusal(company.invoke(agentId, { release: 'nope' }))).status).toBe(404);
    expect((await refusal(company.invoke(99_999))).message).toBe('agent not found');
    const other = await outside.company();
    expect((await refusal(other.invoke(agentId))).message).toBe('agent not found');
  });

  it('says which action the model made up', async () => {
    outside.provider.answerWith(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? String(messages.at(-1)!.content)
        : { toolCalls: [{ name: 'invented', arguments: {} }] },
    );
    const reply = await company.invoke(await company.agent());
    expect(reply.choices![0]!.message.content).toContain('there is no action invented');
  });
});

describe('a structured answer', () => {
  const format = {
    type: 'json_schema' as const,
    json_schema: { name: 'n', schema: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } } },
  };

  it('is asked for again until it fits', async () => {
    const answers = ['no', '{"a":"x"}', '{"a":1}'];
    const first = outside.provider.calls.length;
    const agentId = await company.agent();
    outside.provider.answerWith(() => answers[outside.provider.calls.length - first - 1] ?? '');
    const reply = await company.invoke(agentId, { response_format: format, max_iterations: 1 });
    expect(reply).toMatchObject({ structured_output: { a: 1 }, choices: [{ message: { content: '{"a":1}' } }] });
    expect(JSON.stringify(bodies()[2]!.messages)).toContain('must be integer');
  });

  it('is 422 after the third misfit', async () => {
    outside.provider.answerWith(() => '{"a":"x"}');
    const error = await refusal(company.invoke(await company.agent(), { response_format: format }));
    expect([error.status, error.extras.code]).toEqual([422, 'output_schema']);
    expect(outside.provider.calls).toHaveLength(3);
  });

  it('is refused before anything starts when its schema is not valid', async () => {
    const agentId = await company.agent();
    const ask = (schema: Record<string, unknown>) =>
      refusal(
        company.invoke(agentId, { response_format: { type: 'json_schema', json_schema: { name: 'n', schema } } }),
      );
    expect((await ask({ type: 'nonsense' })).status).toBe(422);
    expect((await ask({ $ref: 'https://example.com/x.json' })).status).toBe(422);
    expect(outside.provider.calls).toHaveLength(0);
  });
});

describe('a pattern that takes long to match', () => {
  it('keeps a thread busy while the service answers', async () => {
    outside.provider.answerWith(() => JSON.stringify(`${'a'.repeat(40)}!`));
    const agentId = await company.agent();
    // RE2 has no look-ahead, so this one is matched by going back.
    const schema = { type: 'string', pattern: '^(?=(a+)+$)b' };
    const burning = refusal(
      company.invoke(agentId, { response_format: { type: 'json_schema', json_schema: { name: 'n', schema } } }),
    );
    await eventually('the model is called', () => outside.provider.calls.length > 0);
    let over = false;
    void burning.then(() => (over = true));
    await company.task(
      agentId,
      (await outside.platform.sql.query('SELECT id FROM agents.tasks WHERE agent_id = $1', [agentId])).rows[0]
        .id as string,
    );
    // The service answered while the pattern was still burning: the same thread would have answered afterwards.
    expect(over).toBe(false);
    expect(await burning).toMatchObject({
      status: 422,
      message: 'the answer does not fit the response format: it takes too long to check against the schema',
      extras: { code: 'output_schema' },
    });
    // Another answer would be checked against the same schema.
    expect(outside.provider.calls).toHaveLength(1);
  });
});

describe('secrets', () => {
  const CANARY = 'canary-9f3d1c77-secret-value';
  const auth = { type: 'bearer', token: '{{secrets.TOKEN}}' };

  it('are all named when missing, before anything starts; surplus ones are ignored', async () => {
    const agentId = await company.agent({}, { auth, headers: { 'X-B': '{{secrets.OTHER}}' } });
    const error = await refusal(company.invoke(agentId, { secrets: { SURPLUS: 'surplus' } }));
    expect(error.status).toBe(400);
    expect(error.extras.details!.map(({ field }) => field)).toEqual(['secrets.TOKEN', 'secrets.OTHER']);
    const { rows } = await outside.platform.sql.query('SELECT 1 FROM agents.tasks WHERE agent_id = $1', [agentId]);
    expect(rows).toEqual([]);
  });

  it('arrive at the declared header and nowhere else', async () => {
    outside.target.answerWith(({ headers }) => ({ body: JSON.stringify({ you_sent: headers.authorization }) }));
    lookUpOnce(outside.provider, { id: '{{secrets.TOKEN}}' });
    const agentId = await company.agent({}, { auth });
    const message = `my token is ${CANARY}, base64 ${Buffer.from(CANARY).toString('base64')}`;
    const reply = await company.invoke(agentId, { message, secrets: { TOKEN: CANARY }, metadata: { note: CANARY } });
    expect(outside.target.calls[0]!.headers.authorization).toBe(`Bearer ${CANARY}`);
    expect(outside.target.calls[0]!.path).toBe('/items/%7B%7Bsecrets.TOKEN%7D%7D');
    expect(reply.choices![0]!.message.content).toContain('[secret]');
    await eventually('both model calls are recorded', async () => (await recordedCalls(reply.task_id)) === 2);
    const seen = [JSON.stringify(reply), JSON.stringify(bodies()), await everythingStored(), await everyLog()].join(
      '\n',
    );
    for (const form of [CANARY, Buffer.from(CANARY).toString('base64'), encodeURIComponent(CANARY)])
      expect(seen.includes(form)).toBe(false);
    // The search itself is proved by something that has to be there.
    expect(seen).toContain(reply.task_id);
  });

  async function recordedCalls(taskId: string): Promise<number> {
    const { rows } = await outside.platform.sql.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM traffic.requests WHERE starts_with(reference_id, $1)',
      [taskId],
    );
    return rows[0]?.count ?? 0;
  }

  async function everythingStored(): Promise<string> {
    const { rows: tables } = await outside.platform.sql.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname IN ('agents', 'traffic', 'accounts')`,
    );
    const texts = tables.map(async ({ name }) => {
      const { rows } = await outside.platform.sql.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      return rows.map(({ row }) => row).join('\n');
    });
    return (await Promise.all(texts)).join('\n');
  }

  async function everyLog(): Promise<string> {
    return (await Promise.all(['agents', 'traffic', 'accounts'].map((name) => outside.platform.logOf(name)))).join(
      '\n',
    );
  }
});

describe('an action of a task', () => {
  it('cannot be moved to another host by what the model says', async () => {
    lookUpOnce(outside.provider, { id: `@127.0.0.1:1/..//x?y#z` });
    const reply = await company.invoke(await company.agent());
    expect(outside.target.calls[0]!.path).toBe('/items/%40127.0.0.1%3A1%2F..%2F%2Fx%3Fy%23z');
    expect(reply.choices![0]!.message.content).toBe('read: {"ok":true}');
  });

  it('is denied addresses that are not allowed, unless the company may', async () => {
    const inner = await startHttpTarget({ host: '127.0.0.2' });
    const ask = async (of: TaskCompany) => {
      const agentId = await of.agent({}, { endpoint: `${inner.url}/{id}` });
      const reply = await of.invoke(agentId);
      const { data } = await of.timeline(agentId, reply.task_id);
      return data.find(({ type }) => type === 'action_result');
    };
    const allowed = await outside.company();
    const allow = { company_id: allowed.world.companyId, allow: [`127.0.0.2:${inner.port}`] };
    await outside.platform.bus.call(operator.endpoints.setEgressAllow, allow, allowed.world.caller());
    expect(await ask(company)).toMatchObject({ status: 'ERROR', failure_class: 'sandbox' });
    expect(inner.calls).toHaveLength(0);
    expect(await ask(allowed)).toMatchObject({ status: 'SUCCESS', output: { ok: true } });
    await inner.close();
  });
});

describe('a trial of an action', () => {
  it('runs it once with the arguments and secrets given, and stores nothing', async () => {
    const agentId = await company.agent({}, { auth: { type: 'bearer', token: '{{secrets.TOKEN}}' } });
    const [action] = (await company.world.get(agentId)).actions;
    const run = (given: Record<string, unknown>, secrets: Record<string, string>) =>
      outside.platform.bus.call(
        actions.endpoints.testAction,
        { action_id: action!.id, arguments: given, secrets },
        company.world.caller(),
      );
    expect((await refusal(run({ id: 'a' }, {}))).extras.details).toMatchObject([{ field: 'secrets.TOKEN' }]);
    expect(await run({}, { TOKEN: 'tried-secret' })).toMatchObject({ status: 'ERROR', failure_class: 'quality' });
    outside.target.answerWith(({ headers }) => ({ status: 404, body: `no ${headers.authorization}` }));
    expect(await run({ id: 'a' }, { TOKEN: 'tried-secret' })).toMatchObject({
      status: 'ERROR',
      failure_class: 'provider',
      error_message: 'the target answered 404',
      output: expect.not.stringContaining('tried-secret') as unknown,
    });
    outside.target.answerWith(() => ({}));
    expect(await run({ id: 'a' }, { TOKEN: 'tried-secret' })).toMatchObject({
      status: 'SUCCESS',
      output: { ok: true },
    });
    const { rows } = await outside.platform.sql.query('SELECT 1 FROM agents.tasks WHERE agent_id = $1', [agentId]);
    expect(rows).toEqual([]);
  });
});

describe('a task', () => {
  it('is cancelled at once, its model call with it; a second time is 409', async () => {
    outside.provider.answerWith(() => ({ hang: true }));
    const agentId = await company.agent();
    const { task_id } = await company.invoke(agentId, { wait: false });
    const waiting = company.task(agentId, task_id, 10);
    await eventually('the model is asked', () => outside.provider.calls.length > 0);
    const cancel = () =>
      outside.platform.bus.call(tasks.endpoints.cancelTask, { agent_id: agentId, task_id }, company.world.caller());
    const began = Date.now();
    expect((await cancel()).status).toBe('CANCELLED');
    expect((await waiting).status).toBe('CANCELLED');
    // A call that is not woken up waits for its 10 s.
    expect(Date.now() - began).toBeLessThan(7000 * timeScale());
    expect((await refusal(cancel())).status).toBe(409);
    await eventually('the work is done', async () => {
      const { rows } = await outside.platform.sql.query('SELECT done_at FROM agents.work WHERE ref = $1', [task_id]);
      return (rows[0] as { done_at: unknown }).done_at;
    });
  });

  it('that is cancelled stops its actions in the background, and its timeline says so', async () => {
    outside.target.answerWith(() => ({ hang: true }));
    outside.provider.answerWith(({ messages }) =>
      messages.at(-1)?.role === 'tool' ? { hang: true } : { toolCalls: [{ name: 'look_up', arguments: { id: '7' } }] },
    );
    const agentId = await company.agent({}, {}, { invocation_mode: 'background' });
    const { task_id } = await company.invoke(agentId, { wait: false });
    await eventually('the action runs', () => outside.target.calls.length > 0);
    const path = { agent_id: agentId, task_id };
    await outside.platform.bus.call(tasks.endpoints.cancelTask, path, company.world.caller());
    await eventually('the call is dropped', () => outside.target.calls[0]!.endedAt !== null);
    const result = await eventually('its result arrives', async () =>
      (await company.timeline(agentId, task_id)).data.find(({ type }) => type === 'action_result'),
    );
    expect(result).toMatchObject({ action_name: 'look up', status: 'ERROR', message: 'the task was cancelled' });
  });

  it('cancelled while its caller waits answers 409', async () => {
    outside.target.answerWith(() => ({ hang: true }));
    const agentId = await company.agent();
    const call = refusal(company.invoke(agentId));
    await eventually('the action runs', () => outside.target.calls.length > 0);
    const page = await outside.platform.bus.call(
      tasks.endpoints.listTasks,
      { agent_id: agentId, ...PAGE, status: ['RUNNING'] },
      company.world.caller(),
    );
    const [task] = page.data;
    await outside.platform.bus.call(
      tasks.endpoints.cancelTask,
      { agent_id: agentId, task_id: task!.id },
      company.world.caller(),
    );
    expect((await call).status).toBe(409);
    await eventually('the call is dropped', () => outside.target.calls[0]!.endedAt !== null);
  });

  it('keeps the draft it began with, and a version is what was published', async () => {
    const agentId = await company.agent();
    await company.world.publish(agentId);
    const { bus } = outside.platform;
    let changed = false;
    outside.provider.answerWith(async ({ messages }) => {
      if (!changed)
        await bus.call(
          agents.endpoints.updateAgent,
          { agent_id: agentId, system_prompt: 'late' },
          company.world.caller(),
        );
      changed = true;
      return messages.at(-1)?.role === 'tool' ? 'done' : { toolCalls: [{ name: 'look_up', arguments: { id: '7' } }] };
    });
    const prompts = async (version?: string) => {
      changed = false;
      outside.provider.calls.length = 0;
      const reply = await company.invoke(agentId, version === undefined ? {} : { version });
      const task = await company.task(agentId, reply.task_id);
      return [task.version, ...bodies().map(({ messages }) => (messages[0] as { content: string }).content)];
    };
    expect(await prompts()).toEqual([null, 'You help.', 'You help.']);
    expect(await prompts('1.0.0')).toEqual(['1.0.0', 'You help.', 'You help.']);
    expect(await prompts()).toEqual([null, 'late', 'late']);
  });
});

describe('a session', () => {
  it('is listed, judged and deleted', async () => {
    const agentId = await company.agent();
    const { task_id } = await company.invoke(agentId, { session_id: 'talk', message: 'a private message' });
    const path = { agent_id: agentId, session_id: 'talk' };
    const { bus } = outside.platform;
    const api = agentSessions.endpoints;
    const caller = () => company.world.caller({ keyId: 3 });
    expect((await bus.call(api.listAgentSessions, { agent_id: agentId, ...PAGE }, caller())).data).toMatchObject([
      { session_id: 'talk', task_count: 1, feedback_score: null },
    ]);
    expect((await bus.call(api.listAgentSessionTasks, { ...path, ...PAGE }, caller())).pagination.total).toBe(1);
    expect((await bus.call(api.listAgentSessionTimeline, { ...path, ...PAGE }, caller())).pagination.total).toBe(10);
    expect((await refusal(bus.call(api.getAgentSessionFeedback, path, caller()))).status).toBe(404);
    const judged = await bus.call(api.setAgentSessionFeedback, { ...path, feedback_score: 4 }, caller());
    expect(judged).toMatchObject({ feedback_score: 4, feedback_text: null, key_id: 3 });
    expect(await bus.call(api.getAgentSessionFeedback, path, caller())).toEqual(judged);
    await bus.call(api.deleteAgentSessionFeedback, path, caller());
    expect((await refusal(bus.call(api.getAgentSessionFeedback, path, caller()))).status).toBe(404);
    expect(await bus.call(api.deleteAgentSession, path, caller())).toEqual({ id: 'talk', deleted: true });
    expect((await refusal(bus.call(api.getAgentSession, path, caller()))).status).toBe(404);
    const erased = await eventually('the messages are gone', async () => {
      const task = await company.task(agentId, task_id);
      return task.input_messages.length === 0 ? task : undefined;
    });
    expect(erased).toMatchObject({ status: 'COMPLETED', output: null, usage: { total_tokens: expect.any(Number) } });
    const stored = ['tasks', 'task_steps', 'task_timeline', 'task_events'].map(async (table) => {
      const texts = ['a private message', 'read: ', '{"ok": true}'].map(
        (text) => `strpos(to_jsonb(t)::text, '${text}') > 0`,
      );
      const id = table === 'tasks' ? 'id' : 'task_id';
      const { rows } = await outside.platform.sql.query(
        `SELECT * FROM agents.${table} t WHERE ${id} = $1 AND (${texts.join(' OR ')})`,
        [task_id],
      );
      return rows;
    });
    expect((await Promise.all(stored)).flat()).toEqual([]);
    await company.invoke(agentId, { session_id: 'talk' });
    expect(await bus.call(api.getAgentSession, path, caller())).toMatchObject({ task_count: 1 });
  });

  it('leaves neither its state nor the text of its feedback when it is deleted', async () => {
    const agentId = await company.agent();
    const path = { agent_id: agentId, session_id: 'talk' };
    const { bus, sql } = outside.platform;
    const api = agentSessions.endpoints;
    await company.invoke(agentId, { session_id: 'talk', state: { note: 'private' } });
    await bus.call(api.setAgentSessionFeedback, { ...path, feedback_text: 'private' }, company.world.caller());
    await bus.call(api.deleteAgentSession, path, company.world.caller());
    await eventually('both are gone', async () => {
      const { rowCount } = await sql.query(
        `SELECT 1 FROM agents.sessions t WHERE company_id = $1 AND strpos(to_jsonb(t)::text, 'private') > 0`,
        [company.world.companyId],
      );
      return rowCount === 0;
    });
  });
});
