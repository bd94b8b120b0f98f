import { actions, type Agent, ApiError, AUDIT_ACTIONS, testSetItems, workflows } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import type { RunCompany, RunWorld } from '../run-world.js';

/** What the model is asked for by the scripts and agents of these tests; it answers `wait` when it is released. */
type Question = 'agent' | 'start' | 'wait' | 'effect' | 'fail';

const ASK = `const ask = async (content) =>
  (await ctx.chat.completions.create({ model: 'm', messages: [{ role: 'user', content }] })).choices[0].message.content;`;
/** A script that waits for the model, and asks it for an effect afterwards. */
const WAITING = `async function execute(ctx) {
  ${ASK}
  await ask('wait');
  return ask('effect');
}
`;
/** A script that waits for an agent, or computes for a minute, and has an effect afterwards. */
const SLOW = `async function execute(ctx) {
  ${ASK}
  if (ctx.input.agent) await ctx.agents.invoke(ctx.input.agent, { message: 'wait' });
  else if (ctx.input.busy) {
    await ask('start');
    for (const end = Date.now() + 60_000; Date.now() < end;);
  }
  return ask('effect');
}
`;

/** Cancellations of runs whose items have started tasks and workflow runs. */
export function cancelledRuns(world: () => RunWorld): void {
  let company: RunCompany;
  let asked: Question[];
  let release: () => void;
  beforeEach(async () => {
    company = await world().company();
    asked = [];
    const released = new Promise<void>((resolve) => (release = resolve));
    world().provider.answerWith(async ({ messages }) => {
      const last = messages.at(-1);
      const question = last?.role === 'tool' ? 'effect' : (String(last?.content) as Question);
      asked.push(question);
      if (question === 'agent') return { toolCalls: [{ name: 'run_it', arguments: {} }] };
      if (question === 'fail' && times('fail') === 1) return { error: { status: 400 } };
      if (question === 'wait' || question === 'fail') await released;
      return 'done';
    });
  });
  afterEach(() => release());

  const bus: RunWorld['platform']['bus']['call'] = (endpoint, input, caller) =>
    world().platform.bus.call(endpoint, input, caller);
  const workflow = async (workflow_ref_name: string, script: string): Promise<number> => {
    const body = {
      ...{ workflow_ref_name, description: '', language: 'javascript', script, execution_mode: 'sync' },
      ...{ allow_inproc_nesting: false, inproc_nested_refs: [], timeout_seconds: 300, memory_mb: 64 },
      ...{ status: 'ENABLED', meta: {} },
    };
    return (await bus(workflows.endpoints.createWorkflow, body as never, company.world.caller())).id;
  };
  const acting = async (agent: Agent, workflow_id: number): Promise<void> => {
    const action = {
      ...{ agent_id: agent.id, action_name: 'run it', action_type: 'maitai_workflow', description: 'd', enabled: true },
      ...{ action_config: { workflow_id }, meta: {}, is_default: false, action_result_type: 'gather_info' },
      invocation_mode: 'foreground',
    };
    await bus(actions.endpoints.createAction, action as never, company.world.caller());
  };
  const setOf = async (inputs: readonly object[]): Promise<number> => {
    const { id } = await company.world.set({ name: `Set ${Math.random()}` });
    for (const input of inputs) {
      const item = { test_set_id: id, input: { input }, expected_output: null, meta: {} };
      await bus(testSetItems.endpoints.createTestSetItem, item as never, company.world.caller());
    }
    return id;
  };
  const started = async (set: number, change: Parameters<RunCompany['create']>[1], concurrency: number) => {
    const { id } = await company.create(set, change);
    await company.prepare(id);
    await company.execute(id, concurrency);
    return id;
  };
  const times = (question: Question): number => asked.filter((each) => each === question).length;
  const statuses = async (table: 'agents.tasks' | 'workflows.runs'): Promise<string[]> => {
    const { rows } = await world().platform.sql.query<{ status: string }>(
      `SELECT status FROM ${table} WHERE company_id = $1`,
      [company.world.companyId],
    );
    return rows.map(({ status }) => status);
  };
  /** Waits until every task and workflow run of the company is cancelled; returns how many there are of both. */
  const allCancelled = () =>
    eventually('all tasks and runs are cancelled', async () => {
      const [tasks, runs] = [await statuses('agents.tasks'), await statuses('workflows.runs')];
      return [...tasks, ...runs].every((status) => status === 'CANCELLED') ? [tasks.length, runs.length] : null;
    });
  const cancelledItems = async (id: number, total: number): Promise<void> => {
    expect(await company.get(id)).toMatchObject({
      ...{ status: 'COMPLETED', failed_items: total, completed_items: 0, cancelled_at: expect.any(Number) },
    });
    const { data } = await company.items(id);
    expect(data.map(({ status, failure_class, error_code }) => [status, failure_class, error_code])).toEqual(
      data.map(() => ['FAILED', 'internal', 'cancelled']),
    );
  };
  /** Lets the model answer, and waits until a later run has had its effect, as the cancelled ones would have had. */
  const noFurtherEffect = async (later: () => Promise<unknown>, effects: number): Promise<void> => {
    release();
    await later();
    expect(times('effect')).toBe(effects);
  };

  it('of agents cancel their tasks, and the workflow runs of these', async () => {
    const agent = await company.agent();
    await acting(agent, await workflow('waiting', WAITING));
    const set = await company.set('Agents', { agent: null });
    for (let item = 0; item < 3; item++) await company.world.item(set, 'agent', null);
    const consumer = { consumer_kind: 'AGENT' as const, consumer_config: { agent_id: agent.id } };
    const id = await started(set, consumer, 2);
    await eventually('two tasks wait', () => times('wait') === 2);
    expect(await company.cancel(id)).toMatchObject({ status: 'COMPLETED' });
    await cancelledItems(id, 4);
    const audited = await company.world.audits('test_run', id);
    expect(audited.map(({ action }) => AUDIT_ACTIONS.some((each) => each === action) && action)).toEqual([
      ...['create', 'update', 'update', 'update'],
    ]);
    expect(await allCancelled()).toEqual([2, 2]);
    await noFurtherEffect(() => company.run(set, consumer), 4 * 2);
  }, 90_000);

  it('of workflows cancel their runs, and the tasks of these', async () => {
    const agent = await company.agent();
    const slow = await workflow('slow', SLOW);
    const set = await setOf([{ agent: agent.id }, { busy: true }, { agent: agent.id }, {}, {}]);
    const consumer = { consumer_kind: 'WORKFLOW' as const, consumer_config: { workflow_id: slow } };
    const id = await started(set, consumer, 3);
    await eventually('three runs are in progress', () => times('wait') === 2 && times('start') === 1);
    expect(await company.cancel(id)).toMatchObject({ status: 'COMPLETED' });
    await cancelledItems(id, 5);
    expect(await allCancelled()).toEqual([2, 3]);
    const last = await setOf([{}]);
    await noFurtherEffect(() => company.run(last, consumer), 1);
  }, 90_000);

  it.each(['while it runs', 'at once after its cancellation'])(
    'cancel the tasks and workflow runs of a run that is deleted %s',
    async (when) => {
      const agent = await company.agent();
      const slow = await workflow('slow', SLOW);
      const set = await setOf([{ agent: agent.id }, { agent: agent.id }, {}]);
      const id = await started(set, { consumer_kind: 'WORKFLOW', consumer_config: { workflow_id: slow } }, 2);
      await eventually('two runs are in progress', () => times('wait') === 2);
      if (when !== 'while it runs') await company.cancel(id);
      await company.remove(id);
      expect(await allCancelled()).toEqual([2, 2]);
      const last = await setOf([{}]);
      const consumer = { consumer_kind: 'WORKFLOW' as const, consumer_config: { workflow_id: slow } };
      await noFurtherEffect(() => company.run(last, consumer), 1);
    },
    90_000,
  );

  it('of a run that is deleted while its service is away are cancelled later', async () => {
    const agent = await company.agent();
    const set = await company.set('Gone', { wait: null });
    const id = await started(set, { consumer_kind: 'AGENT', consumer_config: { agent_id: agent.id } }, 1);
    await eventually('the task waits', () => times('wait') === 1);
    const { platform } = world();
    await Promise.all([platform.service('test-runs').kill(), platform.service('agents').kill()]);
    await platform.service('test-runs').start();
    await company.remove(id);
    await platform.service('agents').start();
    expect(await allCancelled()).toEqual([1, 0]);
  }, 120_000);

  it('whose worker is lost and whose service is away cancel them later, and are reset only then', async () => {
    const agent = await company.agent();
    const set = await company.set('Away', { wait: null });
    for (let item = 0; item < 5; item++) await company.world.item(set, 'wait', null);
    const consumer = { consumer_kind: 'AGENT' as const, consumer_config: { agent_id: agent.id } };
    const id = await started(set, consumer, 4);
    await eventually('four tasks wait', () => times('wait') === 4);
    const { platform } = world();
    await Promise.all([platform.service('test-runs').kill(), platform.service('agents').kill()]);
    await platform.service('test-runs').start();
    const cancelled = await company.cancel(id);
    await cancelledItems(id, 6);
    await platform.service('agents').start();
    const reset = () => company.reset(id, ['internal']).catch(unlessConflict);
    expect(await eventually('the run is reset', reset)).toMatchObject({ reset_count: 6 });
    const taken = await world().platform.sql.query<{ id: string }>(
      `SELECT id FROM agents.tasks WHERE company_id = $1 AND status <> 'CANCELLED' AND date_created < $2`,
      [company.world.companyId, cancelled.cancelled_at],
    );
    expect(taken.rows).toEqual([]);
    await company.remove(id);
  }, 120_000);

  it('are cancelled while items that had failed otherwise are executed again', async () => {
    const agent = await company.agent();
    const set = await company.set('Again', { fail: null, wait: null });
    const id = await started(set, { consumer_kind: 'AGENT', consumer_config: { agent_id: agent.id } }, 2);
    const failed = async () => (await company.progress(id)).failed_by_class.provider === 1;
    await eventually('one item has failed and one task waits', async () => times('wait') === 1 && (await failed()));
    const { platform } = world();
    await Promise.all([platform.service('test-runs').kill(), platform.service('agents').kill()]);
    await platform.service('test-runs').start();
    await company.cancel(id);
    const client = await platform.sql.connect();
    try {
      await client.query('BEGIN');
      // Until the run executes again, no worker takes the job that cancels the task.
      const waiting = `SELECT 1 FROM "test-runs".work WHERE company_id = $1 AND kind = 'test_run_cancel' AND done_at IS NULL
        AND lease_owner IS NULL FOR UPDATE SKIP LOCKED`;
      const held = async () => (await client.query(waiting, [company.world.companyId])).rows.length === 1;
      await eventually('the job waits', held);
      await platform.service('agents').start();
      expect(await company.reset(id, ['provider'])).toMatchObject({ status: 'RUNNING', reset_count: 1 });
      await client.query('COMMIT');
    } finally {
      client.release(true);
    }
    await eventually('the task is cancelled', async () => (await statuses('agents.tasks')).includes('CANCELLED'));
    await company.remove(id);
  }, 120_000);
}

/** The run is still being cancelled. */
function unlessConflict(error: unknown): null {
  if (!(error instanceof ApiError) || error.status !== 409) throw error;
  return null;
}
