import { randomUUID } from 'node:crypto';
import { analytics, chatSessions, completions, models, requests, type AnalyticsQuery } from '@signalbox/contracts';
import { ask, refusal, startTraffic, type Traffic, withModel } from './traffic.js';

let traffic: Traffic;
beforeAll(async () => {
  traffic = await startTraffic();
}, 60_000);
afterAll(() => traffic.stop());

const { endpoints } = analytics;
const asked = (query: Partial<AnalyticsQuery> = {}): AnalyticsQuery => ({ bucket: 'day', group_by: 'none', ...query });

const callerOf = (companyId: number) => traffic.platform.caller(companyId);
type Some = Partial<AnalyticsQuery>;
const volumeOf = (companyId: number, query: Some = {}) =>
  traffic.platform.bus.call(endpoints.getRequestVolume, asked(query), callerOf(companyId));
const faultsOf = (companyId: number, query: Some = {}) =>
  traffic.platform.bus.call(endpoints.getFaultRate, asked(query), callerOf(companyId));
const latencyOf = (companyId: number, query: Some = {}) =>
  traffic.platform.bus.call(endpoints.getLatency, asked(query), callerOf(companyId));
const usageOf = (companyId: number, query: Some = {}) =>
  traffic.platform.bus.call(endpoints.getUsage, asked(query), callerOf(companyId));
const summaryOf = (companyId: number, query: Some = {}) =>
  traffic.platform.bus.call(endpoints.getSummary, asked(query), callerOf(companyId));

describe('analytics', () => {
  it('outlast answers that claim an impossible number of tokens', async () => {
    const { companyId } = await withModel(traffic);
    const huge = Number.MAX_SAFE_INTEGER;
    const item = {
      chat_completion_request: {
        messages: [{ role: 'user' as const, content: 'hello' }],
        model: 'theirs',
        return_evaluation: false,
      },
      chat_completion_response: {
        choices: [{ message: { role: 'assistant' as const, content: 'ours' } }],
        usage: { prompt_tokens: huge, completion_tokens: huge, total_tokens: huge },
      } as { choices: { message: { role: 'assistant'; content: string } }[] },
    };
    const items = Array.from({ length: 100 }, () => item);
    // Together more than a bigint holds.
    for (let turn = 0; turn < 11; turn++)
      await traffic.platform.bus.call(completions.endpoints.storeCompletions, { items }, callerOf(companyId));
    expect((await volumeOf(companyId)).total).toBe(1100);
    expect((await usageOf(companyId)).total).toMatchObject({ total_tokens: 0 });
  });

  it('tell of a call at once, and to its company alone', async () => {
    const { companyId } = await withModel(traffic);
    const other = await withModel(traffic);
    traffic.world.answerWith(() => 'fine');
    await ask(traffic, companyId, 'one', { model: 'm' });
    await ask(traffic, companyId, 'two', { model: 'm', request_type: 'SYNTHETIC', agent_id: 7 });
    traffic.world.answerWith(() => ({ error: { status: 400 } }));
    await refusal(ask(traffic, companyId, 'three', { model: 'm', agent_id: 7, session_id: randomUUID() }));
    const volume = await volumeOf(companyId);
    expect(volume).toMatchObject({ bucket: 'day', total: 2, series: [{ key: 'all', label: 'all' }] });
    expect(volume.series[0]?.points).toHaveLength(8);
    expect(volume.series[0]?.points.map(({ count }) => count).reduce((sum, count) => sum + count)).toBe(2);
    expect((await volumeOf(companyId, { request_type: 'SYNTHETIC' })).total).toBe(1);
    expect((await volumeOf(companyId, { agent_id: 7 })).total).toBe(1);
    expect((await volumeOf(companyId, { model: 'm', group_by: 'model' })).series).toMatchObject([
      { key: 'm', label: 'm' },
    ]);
    expect((await volumeOf(companyId, { group_by: 'application' })).series).toMatchObject([
      { key: 'none', label: 'none' },
    ]);
    expect(await summaryOf(companyId)).toMatchObject({
      request_count: 2,
      session_count: 1,
      error_rate: 0.5,
      fallback_rate: 0,
      fault_rate: null,
    });
    expect((await usageOf(companyId)).total.cost).toBeGreaterThan(0);
    expect((await latencyOf(companyId)).total.p50_ms).toEqual(expect.any(Number));
    expect((await faultsOf(companyId)).total).toEqual({
      evaluated: 0,
      faults: 0,
      errors: 0,
      fault_rate: null,
    });
    expect((await volumeOf(other.companyId)).total).toBe(0);
    expect((await volumeOf(other.companyId, { group_by: 'model' })).series).toEqual([]);
    expect((await summaryOf(other.companyId)).session_count).toBe(0);
  });

  it('name applications, and tell of a model all that it was used for', async () => {
    const { companyId, model } = await withModel(traffic);
    const { bus } = traffic.platform;
    traffic.world.answerWith(() => 'fine');
    const { rows } = await traffic.platform.sql.query<{ id: number }>(
      `INSERT INTO traffic.applications (company_id, application_name, application_ref_name, state)
       VALUES ($1, 'Web Shop', 'web-shop', 'ENABLED') RETURNING id`,
      [companyId],
    );
    const id = rows[0]?.id ?? 0;
    await ask(traffic, companyId, 'one', { model: 'm', application_id: id });
    await ask(traffic, companyId, 'two', { model: 'm', request_type: 'SYNTHETIC' });
    const { series } = await volumeOf(companyId, { group_by: 'application' });
    expect(series).toMatchObject([{ key: String(id), label: 'Web Shop' }]);
    const usage = (model_id: number, end_date?: number) =>
      bus.call(
        models.endpoints.getModelUsage,
        { model_id, bucket: 'hour', ...(end_date ? { end_date } : {}) },
        traffic.platform.caller(companyId),
      );
    const { points } = await usage(model.id);
    expect(points.length).toBeGreaterThanOrEqual(168);
    expect(points.map(({ requests }) => requests).reduce((sum, count) => sum + count)).toBe(2);
    expect(points.some(({ p50_ms, cost }) => p50_ms !== null && cost !== null)).toBe(true);
    expect(await refusal(usage(999_999))).toMatchObject({ status: 404, message: 'model not found' });
    expect((await refusal(usage(model.id, 5))).status).toBe(400);
  });

  it('group by workflow and release, with those of neither in a separate group', async () => {
    const { companyId } = await withModel(traffic);
    traffic.world.answerWith(() => 'fine');
    const byAgent = { model: 'm', agent_id: 7, release: 'agent:7@stable' };
    const byWorkflow = { model: 'm', origin: 'WORKFLOW' as const, workflow_id: 8 };
    await ask(traffic, companyId, 'one', byAgent);
    await ask(traffic, companyId, 'two', byAgent);
    await ask(traffic, companyId, 'three', { ...byAgent, release: 'agent:7@canary' });
    await ask(traffic, companyId, 'four', { ...byWorkflow, release: 'workflow:8@stable' });
    await ask(traffic, companyId, 'five', byWorkflow);
    const countsOf = async (query: Some) => {
      const { series, total } = await volumeOf(companyId, query);
      const sumOf = (points: { count: number }[]) => points.reduce((sum, { count }) => sum + count, 0);
      const counts = series.map(({ key, label, points }) => [key, label, sumOf(points)] as const);
      return { total, counts: Object.fromEntries(counts.map(([key, label, count]) => [`${key} (${label})`, count])) };
    };
    expect(await countsOf({ group_by: 'release' })).toEqual({
      total: 5,
      counts: {
        'agent:7@stable (agent:7@stable)': 2,
        'agent:7@canary (agent:7@canary)': 1,
        'workflow:8@stable (workflow:8@stable)': 1,
        'none (none)': 1,
      },
    });
    expect(await countsOf({ group_by: 'workflow' })).toEqual({ total: 5, counts: { '8 (8)': 2, 'none (none)': 3 } });
    expect(await countsOf({ group_by: 'workflow', agent_id: 7 })).toEqual({ total: 3, counts: { 'none (none)': 3 } });
    const used = await usageOf(companyId, { group_by: 'release', agent_id: 7 });
    expect(used.series.map(({ key }) => key)).toEqual(['agent:7@stable', 'agent:7@canary']);
  });

  it.each([
    ['more than a thousand buckets', { bucket: 'hour' as const, start_date: 0 }],
    ['a start that is its end', { start_date: 5, end_date: 5 }],
    ['a start in the future', { start_date: Date.now() + 60_000 }],
  ])('refuse %s', async (_what, query) => {
    const { companyId } = await withModel(traffic);
    expect((await refusal(volumeOf(companyId, query))).status).toBe(400);
  });

  it('keep what they tell of corrected requests whose content is deleted', async () => {
    const { companyId } = await withModel(traffic);
    const { bus } = traffic.platform;
    traffic.world.answerWith(() => 'fine');
    const session_id = randomUUID();
    const messages = [{ role: 'user' as const, content: 'hello' }];
    const choices = [{ message: { role: 'assistant' as const, content: 'better' } }];
    const correctedIn = async (more: { session_id?: string }) => {
      const call = { model: 'm', messages, return_evaluation: false, ...more };
      const { request_id } = await bus.call(completions.endpoints.createCompletion, call, callerOf(companyId));
      await bus.call(requests.endpoints.correctRequest, { request_id, choices }, callerOf(companyId));
      return request_id;
    };
    const [alone, inSession] = [await correctedIn({}), await correctedIn({ session_id })];
    const found = () =>
      bus.call(
        requests.endpoints.searchRequests,
        { offset: 0, limit: 10, sort: '-id', include_body: false, is_corrected: true },
        callerOf(companyId),
      );
    const before = await summaryOf(companyId);
    expect(before).toMatchObject({ request_count: 2, correction_rate: 1 });
    await bus.call(requests.endpoints.deleteRequest, { request_id: alone }, callerOf(companyId));
    const after = { ...before, request_count: 1 };
    expect(await summaryOf(companyId)).toEqual(after);
    await bus.call(chatSessions.endpoints.deleteSession, { session_id }, callerOf(companyId));
    expect(await summaryOf(companyId)).toEqual(after);
    expect((await found()).data).toMatchObject([{ request_id: inSession, corrected_response: null }]);
    const { rows } = await traffic.platform.sql.query<{ text: string }>(
      'SELECT corrected_response::text AS text FROM traffic.requests WHERE company_id = $1',
      [companyId],
    );
    expect(rows).toEqual([{ text: 'null' }, { text: 'null' }]);
    await bus.call(
      completions.endpoints.createCompletion,
      { model: 'm', messages, return_evaluation: false, session_id },
      callerOf(companyId),
    );
    const { data: timeline } = await bus.call(
      chatSessions.endpoints.listSessionTimeline,
      { offset: 0, limit: 10, sort: 'id', session_id },
      callerOf(companyId),
    );
    expect(timeline.filter(({ type }) => type === 'correction')).toEqual([]);
  });

  it('sum up any span', async () => {
    const { companyId } = await withModel(traffic);
    expect(await summaryOf(companyId, { start_date: 0, end_date: Number.MAX_SAFE_INTEGER })).toEqual({
      request_count: 0,
      session_count: 0,
      fault_rate: null,
      fallback_rate: null,
      correction_rate: null,
      error_rate: null,
      avg_response_time_ms: null,
      total_tokens: 0,
      cost: null,
    });
  });
});
