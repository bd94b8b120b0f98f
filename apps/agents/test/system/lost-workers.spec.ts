import { type ApiError, mcpServers } from '@signalbox/contracts';
import { eventually, type ServiceProcess } from '@signalbox/testing';
import { TestMcpServer } from '../mcp-server.js';
import { lookUpOnce, type TaskCompany, TaskWorld } from '../task-world.js';

let outside: TaskWorld;
let company: TaskCompany;
beforeAll(async () => {
  // What a killed process had claimed is due again soon.
  outside = await TaskWorld.apart({ WORK_LEASE_SECONDS: '10' });
}, 120_000);
afterAll(() => outside.stop());
// Each test has one worker that no other test uses, and external services without earlier calls.
beforeEach(async () => {
  await outside.platform.processes.get('agents-2')?.kill('SIGKILL');
  if (!agents().running) await agents().start();
  outside.reset();
  company = await outside.company();
}, 60_000);

const agents = (): ServiceProcess => outside.platform.service('agents');

/** Lets the leases of all work run out, as time would. */
const expireLeases = () =>
  outside.platform.sql.query(
    `UPDATE agents.work SET due_at = now(), lease_owner = NULL WHERE done_at IS NULL AND kind NOT LIKE '%@%'`,
  );

/** A target that holds its first answer back until it is let go. */
function slowFirstAnswer(): () => void {
  let letGo: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  outside.target.answerWith(async (_call, index) => {
    if (index === 0) await held;
    return { body: `{"call":${index}}` };
  });
  return letGo;
}

const steps = async (taskId: string) => {
  const { rows } = await outside.platform.sql.query<{ step_no: number; kind: string }>(
    'SELECT step_no, kind FROM agents.task_steps WHERE task_id = $1 ORDER BY step_no',
    [taskId],
  );
  return rows.map(({ step_no, kind }) => `${step_no} ${kind}`);
};

describe('a worker that is lost in the middle of a tool of an MCP server', () => {
  it.each([
    ['repeats it when the server says that it may be', true, 2, 'read: done'],
    [
      'does not repeat it otherwise, and the model learns that',
      false,
      1,
      'may have had its effect and is not repeated',
    ],
  ])('%s', async (_name, readOnly, times, answer) => {
    const server = await TestMcpServer.start();
    let ran = 0;
    const run = (): Promise<string> | string => ((ran += 1) === 1 ? new Promise<string>(() => undefined) : 'done');
    server.tools = [{ name: 'up', readOnly, run }];
    const caller = company.world.caller();
    const { bus } = outside.platform;
    const none = { headers: {}, include_tools: [], exclude_tools: [] };
    const body = { name: 'look', url: server.url, ...none };
    const { id } = await bus.call(mcpServers.endpoints.createMcpServer, body, caller);
    await bus.call(mcpServers.endpoints.refreshMcpServer, { mcp_server_id: id, secrets: {} }, caller);
    lookUpOnce(outside.provider, {});
    const agent = await company.world.agent({ model: 'm', mcp_servers: [id] });
    const { task_id } = await company.invoke(agent.id, { wait: false });
    await eventually('the tool runs', () => ran === 1);
    await agents().kill('SIGKILL');
    await expireLeases();
    await agents().start();
    const { output } = await company.ended(task_id);
    await server.stop();
    expect(ran).toBe(times);
    expect(JSON.stringify(output)).toContain(answer);
  });
});

describe('a worker that is lost', () => {
  it('killed in the middle of an action: the task continues from its last recorded step', async () => {
    lookUpOnce(outside.provider);
    slowFirstAnswer();
    const agentId = await company.agent();
    const { task_id } = await company.invoke(agentId, { wait: false });
    await eventually('the action runs', () => outside.target.calls.length === 1);
    await agents().kill('SIGKILL');
    expect(await steps(task_id)).toEqual(['1 model']);
    await expireLeases();
    await agents().start();
    expect(await company.ended(task_id)).toMatchObject({ status: 'COMPLETED', iterations: 2 });
    // The model was asked once per recorded step; the call without a record was made again, under the same key.
    expect(outside.provider.calls).toHaveLength(2);
    expect(outside.target.calls.map(({ headers }) => headers['idempotency-key'])).toEqual([
      `${task_id}/2`,
      `${task_id}/2`,
    ]);
    expect(await steps(task_id)).toEqual(['1 model', '2 action', '3 model']);
    const { rows } = await outside.platform.sql.query(
      'SELECT seq FROM agents.task_events WHERE task_id = $1 ORDER BY seq',
      [task_id],
    );
    expect(rows.map(({ seq }) => seq as number)).toEqual([1, 2, 3, 4, 5]);
  });

  it('stopped past its lease while another takes over: none of its writes is accepted', async () => {
    lookUpOnce(outside.provider);
    const agentId = await company.agent();
    await stopAndTakeOver(agentId);
  }, 120_000);

  it('that held secrets: the task ends as secrets_unavailable and is never run without them', async () => {
    lookUpOnce(outside.provider);
    slowFirstAnswer();
    const agentId = await company.agent({}, { auth: { type: 'bearer', token: '{{secrets.TOKEN}}' } });
    // Only one process runs yet, so it is the holder.
    const { task_id } = await company.invoke(agentId, { wait: false, secrets: { TOKEN: 'secret-of-a-dead-process' } });
    await eventually('the action runs', () => outside.target.calls.length === 1);
    await outside.platform.startService('agents', 'agents-2');
    await agents().kill('SIGKILL');
    const row = await company.ended(task_id, 40_000);
    expect(row).toMatchObject({ status: 'FAILED', failure_class: 'internal', error_code: 'secrets_unavailable' });
    expect(outside.target.calls).toHaveLength(1);
  }, 120_000);

  it('that is stopped records its step and releases its task, and another one continues', async () => {
    lookUpOnce(outside.provider);
    const letGo = slowFirstAnswer();
    const agentId = await company.agent();
    const { task_id } = await company.invoke(agentId, { wait: false });
    await eventually('the action runs', () => outside.target.calls.length === 1);
    const stopped = agents().kill('SIGTERM');
    letGo();
    await stopped;
    const { rows } = await outside.platform.sql.query(
      'SELECT attempt, due_at <= now() AS due FROM agents.work WHERE ref = $1',
      [task_id],
    );
    expect(rows).toEqual([{ attempt: 0, due: true }]);
    expect(await steps(task_id)).toEqual(['1 model', '2 action']);
    await agents().start();
    expect(await company.ended(task_id)).toMatchObject({ status: 'COMPLETED' });
    expect([outside.provider.calls.length, outside.target.calls.length]).toEqual([2, 1]);
  }, 120_000);

  it('lost five times: the task ends as interrupted', async () => {
    outside.provider.answerWith(() => ({ hang: true }));
    const agentId = await company.agent();
    const { task_id } = await company.invoke(agentId, { wait: false });
    await eventually('the model is asked', () => outside.provider.calls.length > 0);
    await agents().kill('SIGKILL');
    await outside.platform.sql.query(
      'UPDATE agents.work SET attempt = 5, due_at = now(), lease_owner = NULL WHERE ref = $1',
      [task_id],
    );
    await agents().start();
    expect(await company.ended(task_id)).toMatchObject({ status: 'FAILED', error_code: 'interrupted' });
  });

  it('a caller who loses the database while it waits gets the task of its first call when it asks again', async () => {
    outside.provider.answerWith(() => ({ text: 'slow', latencyMs: 4000 }));
    const agentId = await company.agent();
    const idempotency = { key: 'k', route: `POST /agents/${agentId}/invoke`, bodyHash: 'h' };
    const asked = () => company.invoke(agentId, {}, company.world.caller({ idempotency, deadline: Date.now() + 9000 }));
    const status = (call: Promise<unknown>) =>
      call.then(
        () => 200,
        (error: ApiError) => error.status,
      );
    const first = status(asked());
    await eventually('the model is asked', () => outside.provider.calls.length > 0);
    await breakLooksUntil(first);
    expect(await first).toBe(503);
    await eventually('a repeat is answered', async () => (await status(asked())) === 200, 30_000);
    const { rows } = await outside.platform.sql.query('SELECT status FROM agents.tasks WHERE company_id = $1', [
      company.world.companyId,
    ]);
    expect(rows).toEqual([{ status: 'COMPLETED' }]);
  }, 60_000);

  /** Breaks every connection on which a waiting call looks at its task, until the call has its answer. */
  async function breakLooksUntil(answered: Promise<unknown>): Promise<void> {
    let over = false;
    void answered.then(() => (over = true));
    const client = await outside.platform.sql.connect();
    try {
      await client.query('BEGIN; LOCK agents.tasks');
      await eventually('the call is answered', async () => {
        await client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE wait_event_type = 'Lock' AND usename LIKE 'svc_agents%'`,
        );
        return over;
      });
    } finally {
      client.release(true);
    }
  }

  /** One worker stands still past its lease, and continues while the next one is at work: none of its writes counts. */
  async function stopAndTakeOver(agentId: number): Promise<void> {
    const letGo: (() => void)[] = [];
    const seen = outside.target.calls.length;
    outside.target.answerWith(async (_call, index) => {
      await new Promise<void>((resolve) => (letGo[index - seen] = resolve));
      return { body: `{"call":${index - seen}}` };
    });
    const { task_id } = await company.invoke(agentId, { wait: false });
    await eventually('the first worker calls', () => letGo.length === 1);
    await agents().kill('SIGSTOP');
    const second = await outside.platform.startService('agents', 'agents-2');
    await expireLeases();
    await eventually('the second worker calls', () => letGo.length === 2);
    const before = await everything(task_id);
    letGo[0]?.();
    await agents().kill('SIGCONT');
    // A process that stops ends its work first: whatever it still had to write was written or refused.
    await agents().kill('SIGTERM');
    expect(await everything(task_id)).toEqual(before);
    letGo[1]?.();
    expect(await company.ended(task_id)).toMatchObject({
      status: 'COMPLETED',
      output: { content: 'read: {"call":1}' },
    });
    await second.kill('SIGKILL');
  }

  /** Everything a stale write could have changed. */
  async function everything(taskId: string): Promise<unknown> {
    const { rows } = await outside.platform.sql.query(
      `SELECT (SELECT to_jsonb(t) FROM agents.tasks t WHERE id = $1) AS task,
         (SELECT jsonb_agg(to_jsonb(p) ORDER BY step_no) FROM agents.task_steps p WHERE task_id = $1) AS steps,
         (SELECT jsonb_agg(to_jsonb(e) ORDER BY seq) FROM agents.task_events e WHERE task_id = $1) AS events,
         (SELECT jsonb_agg(to_jsonb(l) ORDER BY no) FROM agents.task_timeline l WHERE task_id = $1) AS timeline,
         (SELECT jsonb_agg(o.payload ORDER BY id) FROM agents.outbox o WHERE payload::jsonb->'resource'->>'id' = $1::text) AS emitted`,
      [taskId],
    );
    return rows[0];
  }
});

describe('a service that stands still', () => {
  it('is not taken for a target that was late: the action is run when it is back', async () => {
    lookUpOnce(outside.provider);
    const agentId = await company.agent();
    const accounts = outside.platform.service('accounts');
    await accounts.kill('SIGSTOP');
    const { task_id } = await company.invoke(agentId, { wait: false });
    await eventually('the model was asked', () => outside.provider.calls.length === 1);
    // The question of what the company may call has had no answer: the attempt is over and the work waits.
    await eventually('the work is put back', async () => {
      const { rowCount } = await outside.platform.sql.query(
        'SELECT 1 FROM agents.work WHERE ref = $1 AND lease_owner IS NULL AND done_at IS NULL',
        [task_id],
      );
      return rowCount;
    });
    expect(await steps(task_id)).toEqual(['1 model']);
    await accounts.kill('SIGCONT');
    await expireLeases();
    expect(await company.ended(task_id)).toMatchObject({ status: 'COMPLETED' });
    const { rows } = await outside.platform.sql.query<{ status: string }>(
      `SELECT status FROM agents.task_steps WHERE task_id = $1 AND kind = 'action'`,
      [task_id],
    );
    expect(rows).toEqual([{ status: 'SUCCESS' }]);
  }, 60_000);
});
