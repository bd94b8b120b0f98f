import { actions, operator } from '@signalbox/contracts';
import { eventually, startHttpTarget } from '@signalbox/testing';
import { lookUpOnce, refusal, type TaskCompany } from '../task-world.js';
import { company, outside } from './fixture.js';

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
    const seen = [
      JSON.stringify(reply),
      JSON.stringify(outside.bodies()),
      await everythingStored(),
      await everyLog(),
    ].join('\n');
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
