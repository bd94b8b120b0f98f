import { analytics, applications, requests, type Task } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { traceId } from '../otel-client.js';
import { answer, CLOSED_MS, Company, PAGE, platform } from './fixture.js';

describe('a trace that is closed before its root ends', () => {
  it('gives its requests to the agent, session and release of the root once that arrives', async () => {
    const company = await Company.make();
    const trace = traceId();
    const [root, call, tool] = answer(trace, { 'gen_ai.conversation.id': 's-1' });
    const closedWith = async (spans: number) => {
      const sql = 'SELECT 1 FROM traffic.otel_traces WHERE company_id = $1 AND closed_at > 0 AND record_count = $2';
      return (await platform.sql.query(sql, [company.id, spans])).rows.length > 0;
    };
    await company.send([call]);
    await platform.sql.query(
      'UPDATE traffic.otel_traces SET first_arrival = first_arrival - 400000 WHERE company_id = $1',
      [company.id],
    );
    await company.send([tool]);
    await eventually('the trace is closed without its root', () => closedWith(2), CLOSED_MS);
    const found = async () =>
      (
        await platform.bus.call(
          requests.endpoints.searchRequests,
          { ...PAGE, include_body: true, origin: 'EXTERNAL' } as never,
          company.caller,
        )
      ).data;
    const [early] = await found();
    expect(early?.session_id).toBe(trace);
    await company.send([root], { 'service.name': 'shop', 'deployment.environment.name': 'live' });
    await eventually('the trace is closed again', () => closedWith(3), CLOSED_MS);
    const [task] = (await company.ended(1)) as [Task];
    expect(task).toMatchObject({ session_id: 's-1', release: 'live', usage: { cost: 0.25 } });
    const { date_updated: _, ...same } = early ?? {};
    expect(await found()).toMatchObject([{ ...same, session_id: 's-1' }]);
    const of = { bucket: 'day', group_by: 'none' };
    const { endpoints } = analytics;
    const summaryOf = (filter: object) =>
      platform.bus.call(endpoints.getSummary, { ...of, ...filter } as never, company.caller);
    const counts = { request_count: 1, session_count: 1, total_tokens: 15, cost: 0.25 };
    expect(await summaryOf({})).toMatchObject(counts);
    expect(await summaryOf({ agent_id: task.agent_id })).toMatchObject(counts);
    const released = { ...of, agent_id: task.agent_id, group_by: 'release' };
    const { series } = await platform.bus.call(endpoints.getUsage, released as never, company.caller);
    expect(series.map(({ key }) => key)).toEqual(['live']);
    const { data: apps } = await platform.bus.call(
      applications.endpoints.listApplications,
      PAGE as never,
      company.caller,
    );
    expect(apps.find(({ application_name }) => application_name === 'shop')?.request_count).toBe(1);
  }, 180_000);
});

describe('a deleted request', () => {
  it('is not recorded again by a late span of its trace', async () => {
    const company = await Company.make();
    const [root, call, tool] = answer(traceId());
    await company.send([root, call]);
    const [task] = (await company.ended(1)) as [Task];
    const search = { ...PAGE, include_body: false, origin: 'EXTERNAL' } as never;
    const found = async () =>
      (await platform.bus.call(requests.endpoints.searchRequests, search, company.caller)).data.length;
    const closedWith = async (spans: number) => {
      const sql = 'SELECT 1 FROM traffic.otel_traces WHERE company_id = $1 AND closed_at > 0 AND record_count = $2';
      return (await platform.sql.query(sql, [company.id, spans])).rows.length > 0;
    };
    await eventually('the trace is closed', () => closedWith(2), CLOSED_MS);
    expect(await found()).toBe(1);
    await platform.sql.query('DELETE FROM traffic.requests WHERE company_id = $1', [company.id]);
    await company.send([tool]);
    await eventually('the trace is closed again', () => closedWith(3), CLOSED_MS);
    expect(await found()).toBe(0);
    expect((await company.tasks())[0]).toMatchObject({ id: task.id, status: 'COMPLETED' });
  }, 120_000);
});
