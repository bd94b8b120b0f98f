import { randomUUID } from 'node:crypto';
import {
  applications,
  chatSessions,
  completions,
  type CompletionCall,
  requests,
  type RecordedRequest,
} from '@signalbox/contracts';
import { LIST, refusal, rowsOf, startTraffic, type Traffic, withModel } from './traffic.js';

let traffic: Traffic;
beforeAll(async () => {
  traffic = await startTraffic();
}, 60_000);
afterAll(() => traffic.stop());
beforeEach(() => {
  traffic.world.answerWith(() => 'fine');
  traffic.world.calls.length = 0;
});

const { endpoints: read } = requests;
const { endpoints: sessions } = chatSessions;
const listed = { ...LIST, include_body: false };
const hello = [{ role: 'user' as const, content: 'hello' }];

async function complete(companyId: number, more: Partial<CompletionCall> = {}) {
  const { platform } = traffic;
  const call = { model: 'm', messages: hello, return_evaluation: false, ...more };
  return platform.bus.call(completions.endpoints.createCompletion, call, platform.caller(companyId));
}
const callerOf = (companyId: number) => traffic.platform.caller(companyId, { keyId: 7 });

async function eventsOf(companyId: number, prefix: string): Promise<string[]> {
  const { rows } = await traffic.platform.sql.query<{ subject: string }>(
    `SELECT subject FROM traffic.outbox WHERE company_id = $1 AND subject LIKE $2 ORDER BY id`,
    [companyId, `events.%.${prefix}.%`],
  );
  return rows.map(({ subject }) => subject.split('.').slice(2).join('.'));
}

describe('recorded requests', () => {
  it('can be read at once after the answer, filtered by everything that is known of them', async () => {
    const { companyId } = await withModel(traffic);
    const { request_id, session_id } = await complete(companyId, { reference_id: 'r-1', metadata: { a: 1 } });
    await complete(companyId, { application: 'Web Shop', messages: [{ role: 'user', content: 'say "50%"' }] });
    const list = async (filter: object) =>
      (await traffic.platform.bus.call(read.searchRequests, { ...listed, ...filter }, callerOf(companyId))).data;
    expect(await list({})).toHaveLength(2);
    const [first] = await list({ reference_id: 'r-1' });
    expect(first).toMatchObject({ request_id, session_id, metadata: { a: 1 }, is_corrected: false, tags: [] });
    expect(first).not.toHaveProperty('params');
    const { data: apps } = await traffic.platform.bus.call(
      applications.endpoints.listApplications,
      LIST,
      callerOf(companyId),
    );
    expect(apps.map((each) => each.application_ref_name)).toEqual(['web-shop', 'default']);
    expect(await list({ application_id: apps[0]?.id, text: 'say "50%"', include_body: true })).toMatchObject([
      { params: { messages: [{ content: 'say "50%"' }] }, response: { object: 'chat.completion' } },
    ]);
    expect(await list({ text: '50_' })).toEqual([]);
    expect(await list({ session_id, model: 'm', status: 'COMPLETED', evaluation_status: 'NA' })).toHaveLength(1);
    expect(await list({ is_corrected: true })).toEqual([]);
    expect(await list({ tag_ids: [1] })).toEqual([]);
    expect(await list({ start_date: Date.now() + 1000 })).toEqual([]);
  });

  it('continue an answer that a client repeats with all keys of its provider', async () => {
    const { companyId } = await withModel(traffic);
    const call = { id: 'c', type: 'function' as const, function: { name: 'f', arguments: '{}' } };
    const signed = { ...call, index: 0, extra_content: { google: { thought_signature: 'abc' } } };
    const messages = [
      ...hello,
      { role: 'assistant' as const, content: null, refusal: null, tool_calls: [signed] },
      { role: 'tool' as const, tool_call_id: 'c', content: '7' },
    ];
    const { request_id } = await complete(companyId, { messages });
    expect(traffic.world.calls.at(-1)?.body).toMatchObject({ messages });
    const again = await traffic.platform.bus.call(read.rerunRequest, { request_id }, callerOf(companyId));
    expect(again.params?.messages).toEqual(messages);
  });

  it('keep the original next to a correction, which can be removed', async () => {
    const { companyId } = await withModel(traffic);
    const { request_id } = await complete(companyId);
    const { bus } = traffic.platform;
    const choices = [{ message: { role: 'assistant' as const, content: 'better' } }];
    const after = await bus.call(read.correctRequest, { request_id, choices, note: 'n' }, callerOf(companyId));
    expect(after).toMatchObject({ is_corrected: true, corrected_response: { choices, note: 'n', key_id: 7 } });
    const pair = await bus.call(read.getRequestResponse, { request_id }, callerOf(companyId));
    expect(pair).toMatchObject({ original: { choices: [{ message: { content: 'fine' } }] }, corrected: { choices } });
    await bus.call(read.removeCorrection, { request_id }, callerOf(companyId));
    expect((await refusal(bus.call(read.removeCorrection, { request_id }, callerOf(companyId)))).status).toBe(409);
    expect((await bus.call(read.getRequestResponse, { request_id }, callerOf(companyId))).corrected).toBeNull();
    traffic.world.answerWith(() => ({ error: { status: 400 } }));
    await refusal(complete(companyId));
    const failed = await bus.call(read.listRequests, { ...listed, status: 'FAILED' as const }, callerOf(companyId));
    const refused = { request_id: failed.data[0]?.request_id ?? '', choices };
    expect((await refusal(bus.call(read.correctRequest, refused, callerOf(companyId)))).status).toBe(409);
    await bus.call(read.deleteRequest, { request_id }, callerOf(companyId));
    expect((await refusal(bus.call(read.getRequest, { request_id }, callerOf(companyId)))).status).toBe(404);
    const rows = (await rowsOf(traffic, companyId)).filter((row) => row.request_id === request_id);
    expect(rows).toMatchObject([{ params: {}, response: null, total_tokens: expect.any(Number) }]);
    const events = await eventsOf(companyId, 'request');
    expect(events).toEqual(
      expect.arrayContaining(['request.corrected', 'request.correction_removed', 'request.deleted']),
    );
  });

  it('are made again with what is changed, as reruns', async () => {
    const { companyId } = await withModel(traffic);
    const { request_id } = await complete(companyId, { temperature: 0.2 });
    const input = { request_id, config: { temperature: 0.9, system_prompt: 'Be brief' } };
    const again = await traffic.platform.bus.call(read.rerunRequest, input, callerOf(companyId));
    expect(again).toMatchObject({
      request_type: 'RERUN',
      model: 'm',
      session_id: null,
      params: { temperature: 0.9, messages: [{ role: 'system', content: 'Be brief' }, ...hello] },
    });
    expect(again.request_id).not.toBe(request_id);
  });

  it('are made again under one limit of tokens and one system prompt', async () => {
    const { companyId } = await withModel(traffic);
    const messages = [{ role: 'developer' as const, content: 'Be long' }, ...hello];
    const { request_id } = await complete(companyId, { messages, max_completion_tokens: 90 });
    const rerun = (config: object) =>
      traffic.platform.bus.call(read.rerunRequest, { request_id, config }, callerOf(companyId));
    const { params } = await rerun({ max_tokens: 5, system_prompt: 'Be brief' });
    expect(params).toMatchObject({ max_tokens: 5, messages: [{ role: 'system', content: 'Be brief' }, ...hello] });
    expect(params).not.toHaveProperty('max_completion_tokens');
    expect((await rerun({ temperature: 0 })).params).toMatchObject({ max_completion_tokens: 90, messages });
  });

  it('are stored once when they were made elsewhere', async () => {
    const { companyId } = await withModel(traffic);
    const request_id = randomUUID();
    const { storeCompletion } = completions.endpoints;
    const input = {
      chat_completion_request: { request_id, messages: hello, model: 'theirs', return_evaluation: false },
      chat_completion_response: { choices: [{ message: { role: 'assistant' as const, content: 'ours' } }] },
      timing: { response_time_ms: 12 },
    };
    const store = () => traffic.platform.bus.call(storeCompletion, input, callerOf(companyId));
    const replies = await Promise.all([store(), store(), store()]);
    expect(replies.map(({ created }) => created).sort()).toEqual([false, false, true]);
    const found: RecordedRequest = await traffic.platform.bus.call(
      read.getRequest,
      { request_id },
      callerOf(companyId),
    );
    expect(found).toMatchObject({ inference_location: 'CLIENT', model: 'theirs', response_time_ms: 12 });
  });

  it('are stored by the hundred, all or none, each once', async () => {
    const { companyId } = await withModel(traffic);
    const { storeCompletions } = completions.endpoints;
    const ids = Array.from({ length: 100 }, () => randomUUID());
    const item = (request_id: string | undefined, application = 'imported') => ({
      chat_completion_request: { request_id, application, messages: hello, model: 'theirs', return_evaluation: false },
      chat_completion_response: { choices: [{ message: { role: 'assistant' as const, content: 'ours' } }] },
    });
    const store = (items: ReturnType<typeof item>[]) =>
      traffic.platform.bus.call(storeCompletions, { items }, callerOf(companyId));
    // Two batches that have everything in common, in different orders.
    const backwards = [...ids].reverse();
    const [one, other] = await Promise.all([store(ids.map((id) => item(id))), store(backwards.map((id) => item(id)))]);
    expect(one.map(({ request_id }) => request_id)).toEqual(ids);
    expect([...one, ...other].filter(({ created }) => created)).toHaveLength(100);
    const twice = randomUUID();
    const more = await store([item(twice), item(twice), item(undefined), item(ids[0])]);
    expect(more.map(({ created }) => created)).toEqual([true, false, true, false]);
    const count = async () => {
      const { rows } = await traffic.platform.sql.query<{ rows: number; emitted: number }>(
        `SELECT (SELECT count(*)::int FROM traffic.requests WHERE company_id = $1) AS rows,
          (SELECT sum(COALESCE(jsonb_array_length(payload::jsonb->'events'), 1))::int
            FROM traffic.outbox WHERE company_id = $1 AND subject LIKE '%request.completed') AS emitted`,
        [companyId],
      );
      return rows[0];
    };
    expect(await count()).toEqual({ rows: 102, emitted: 102 });
    const session_id = randomUUID();
    const { chat_completion_request: call, ...rest } = item(undefined);
    const claimed = { ...rest, chat_completion_request: { ...call, session_id } };
    await store([claimed]);
    const stolen = {
      ...claimed,
      chat_completion_request: { ...claimed.chat_completion_request, application: 'thief' },
    };
    await expect(store([item(undefined), stolen])).rejects.toMatchObject({ kind: 'conflict' });
    expect(await count()).toEqual({ rows: 103, emitted: 103 });
  });
});

describe('sessions', () => {
  it('are counted with their requests, read as a timeline, rated by users, and deleted', async () => {
    const { companyId } = await withModel(traffic);
    const { bus } = traffic.platform;
    const session_id = 'visit 1/ä';
    await complete(companyId, { session_id });
    traffic.world.answerWith(() => ({ toolCalls: [{ name: 'f', arguments: {} }] }));
    const { request_id } = await complete(companyId, {
      session_id,
      messages: [...hello, { role: 'assistant', content: 'fine' }, { role: 'user', content: 'more' }],
    });
    const session = await bus.call(sessions.getSession, { session_id }, callerOf(companyId));
    expect(session).toMatchObject({ request_count: 2, application_name: 'default', fault_count: 0 });
    expect(session.intents).toMatchObject([{ action_type: 'default' }]);
    expect(session.cost).toBeGreaterThan(0);
    await bus.call(sessions.giveSessionFeedback, { session_id, feedback_score: 4 }, callerOf(companyId));
    const { data: timeline } = await bus.call(
      sessions.listSessionTimeline,
      { ...LIST, session_id },
      callerOf(companyId),
    );
    expect(timeline.map(({ type, role, content }) => [type, role ?? null, content ?? null])).toEqual([
      ['message', 'user', 'hello'],
      ['message', 'assistant', 'fine'],
      ['message', 'user', 'more'],
      ['tool_call', 'assistant', null],
      ['feedback', null, null],
    ]);
    expect(timeline[3]?.request_id).toBe(request_id);
    await bus.call(sessions.updateSession, { session_id, metadata: { plan: 'free' } }, callerOf(companyId));
    const search = async (filter: object) =>
      (await bus.call(sessions.searchSessions, { ...LIST, ...filter }, callerOf(companyId))).data.length;
    expect(await search({ metadata: { plan: 'free' }, text: 'more', has_feedback: true })).toBe(1);
    expect(await search({ metadata: { plan: 'paid' } })).toBe(0);
    expect(await search({ has_fault: true })).toBe(0);
    await bus.call(sessions.deleteSession, { session_id }, callerOf(companyId));
    expect((await refusal(bus.call(sessions.getSession, { session_id }, callerOf(companyId)))).status).toBe(404);
    const rows = await rowsOf(traffic, companyId);
    expect(rows.every(({ params, response }) => JSON.stringify(params) === '{}' && response === null)).toBe(true);
    await complete(companyId, { session_id, application: 'another' });
    expect(await eventsOf(companyId, 'session')).toEqual([
      'session.created',
      'session.feedback_set',
      'session.deleted',
      'session.created',
    ]);
  });

  it('refuse calls of another application, and disabled applications refuse all', async () => {
    const { companyId } = await withModel(traffic);
    const { bus } = traffic.platform;
    await complete(companyId, { session_id: 's', application: 'one' });
    const other = await refusal(complete(companyId, { session_id: 's', application: 'two' }));
    expect(other).toMatchObject({ status: 409, code: 'session_application_mismatch' });
    const { data } = await bus.call(applications.endpoints.listApplications, LIST, callerOf(companyId));
    const one = data.find(({ application_ref_name }) => application_ref_name === 'one')?.id ?? 0;
    const disable = { application_id: one, state: 'DISABLED' as const };
    await bus.call(applications.endpoints.updateApplication, disable, callerOf(companyId));
    const refused = await refusal(complete(companyId, { application: 'one' }));
    expect(refused).toMatchObject({ status: 409, code: 'application_disabled' });
  });
});
