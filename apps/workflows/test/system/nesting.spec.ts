// Chains of agents and workflows with fewer slots than roots: what waits never holds what it waits for.
import { randomUUID } from 'node:crypto';
import {
  actions,
  agents,
  type InputOf,
  type Invocation,
  monitorPreviews,
  parse,
  tasks,
  testRuns,
  testSetItems,
  testSets,
  workflowRuns,
  workflows,
} from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { type RunCompany, RunWorld } from '../run-world.js';

/** Roots at once: many times what runs at once. */
const ROOTS = 12;
/** A chain that waits for itself never ends; on a busy machine one that does not may take long. */
const ENDED_MS = 120_000;

let world: RunWorld;
let company: RunCompany;
beforeAll(async () => {
  world = await RunWorld.apart({ SCRIPTS_AT_ONCE: '2', COMPANY_JOBS_AT_ONCE: '2' }, 'test-runs');
}, 120_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  company = await world.company();
  await company.model();
  // Calls the tool of the agent once, then answers with its result.
  world.provider.answerWith(({ messages, tools }) => {
    const last = messages.at(-1);
    if (last?.role === 'tool') return String(last.content);
    const [tool] = (tools as { function: { name: string } }[] | undefined) ?? [];
    return tool ? { toolCalls: [{ name: tool.function.name, arguments: { n: 1 } }] } : 'answer';
  });
});

const bus = () => world.platform.bus;
const caller = () => company.world.caller({ deadline: Date.now() + ENDED_MS });
const rowsOf = async <Row extends object>(sql: string, values: unknown[]): Promise<Row[]> =>
  (await world.platform.sql.query<Row>(sql, values)).rows;

type NewAgent = Partial<InputOf<typeof agents.endpoints.createAgent>>;

/** An agent whose only action runs a workflow. */
async function agent(agent_name: string, workflow_id: number, change: NewAgent = {}): Promise<number> {
  const body = {
    ...{ application_id: company.world.applicationId, agent_name, model: 'm', agent_config: {}, meta: {} },
    ...{ status: 'ENABLED' as const, execution_mode: 'reasoning' as const, max_iterations: 4, ...change },
  };
  const { id } = await bus().call(agents.endpoints.createAgent, body, caller());
  const action = {
    ...{ agent_id: id, action_name: 'run', description: 'runs a workflow', enabled: true, meta: {} },
    ...{ action_type: 'maitai_workflow' as const, action_config: { workflow_id, input_mapping: { n: 'n' } } },
    ...{ is_default: false, action_result_type: 'gather_info' as const, invocation_mode: 'foreground' as const },
  };
  await bus().call(actions.endpoints.createAction, action, caller());
  return id;
}

type Invoke = Partial<InputOf<typeof tasks.endpoints.invokeAgent>>;

function invoke(agent_id: number, change: Invoke = {}): Promise<Invocation> {
  const body = { agent_id, message: 'go', secrets: {}, wait: true, stream: false, state: {}, metadata: {}, ...change };
  return bus().call(tasks.endpoints.invokeAgent, body, caller());
}

/** Waits for a task that was not waited for. */
const ended = (task_id: string) =>
  eventually(
    'the task ends',
    async () => {
      const [row] = await rowsOf<{ status: string; error_code: string | null }>(
        'SELECT status, error_code, failure_class FROM agents.tasks WHERE id = $1 AND completed_at IS NOT NULL',
        [task_id],
      );
      return row;
    },
    ENDED_MS,
  );

const ask = (name: string, more = '') =>
  `return (await ctx.agents.invoke('${name}', { message: 'go'${more} })).choices[0].message.content;`;

/** agent `outer` → workflow → agent `inner` → workflow. */
async function chain(): Promise<{ outer: number; middle: number }> {
  await agent('inner', await company.workflow('return { leaf: ctx.input.n };'));
  const middle = await company.workflow(ask('inner'), { timeout_seconds: 300 });
  return { outer: await agent('outer', middle), middle };
}

describe('chains that are more than there are slots', () => {
  it('of agents and workflows end, all of them', async () => {
    const { outer } = await chain();
    const started = await Promise.all(Array.from({ length: ROOTS }, () => invoke(outer, { wait: false })));
    const ends = await Promise.all(started.map(({ task_id = '' }) => ended(task_id)));
    expect(ends.map(({ status }) => status)).toEqual(new Array(ROOTS).fill('COMPLETED'));
    const depths = await rowsOf(
      `SELECT depth, count(*)::int AS runs, min(attempts) AS least, max(attempts) AS most
       FROM workflows.runs WHERE company_id = $1 GROUP BY depth ORDER BY depth`,
      [company.world.companyId],
    );
    expect(depths).toEqual([1, 3].map((depth) => ({ depth, runs: ROOTS, least: 1, most: 1 })));
  }, 180_000);

  it('of the items of a test run end, all of them', async () => {
    const { middle } = await chain();
    const set = await bus().call(
      testSets.endpoints.createTestSet,
      { name: 'chains', consumer_kinds: [], criteria_ids: [], tags: [], meta: {} },
      caller(),
    );
    const { createTestSetItem } = testSetItems.endpoints;
    for (let at = 0; at < ROOTS; at++) {
      const input = { messages: [{ role: 'user', content: `item ${at}` }] };
      const item = { test_set_id: set.id, input, expected_output: { text: '{"leaf":1}' } };
      await bus().call(createTestSetItem, parse(createTestSetItem.input, item), caller());
    }
    const run = await bus().call(
      testRuns.endpoints.createTestRun,
      parse(testRuns.endpoints.createTestRun.input, {
        test_set_id: set.id,
        consumer_kind: 'WORKFLOW',
        consumer_config: { workflow_id: middle },
      }),
      caller(),
    );
    await bus().call(testRuns.endpoints.prepareTestRun, { id: run.id }, caller());
    const execute = { id: run.id, concurrency: 8, secrets: {} };
    await bus().call(testRuns.endpoints.executeTestRun, execute, caller());
    const progress = await eventually(
      'the test run ends',
      async () => {
        const { status, failed_items, completed_items } = await bus().call(
          testRuns.endpoints.getTestRun,
          { id: run.id },
          caller(),
        );
        return status === 'COMPLETED' ? { failed_items, completed_items } : undefined;
      },
      ENDED_MS,
    );
    expect(progress).toEqual({ failed_items: 0, completed_items: ROOTS });
  }, 180_000);

  it('of a monitor whose workflow calls a model and an agent end', async () => {
    await agent('inner', await company.workflow('return { leaf: ctx.input.n };'));
    const request = `{ model: 'm', messages: [{ role: 'user', content: 'hi' }] }`;
    const runner = await company.workflow(`
      const said = (await ctx.chat.completions.create(${request})).choices[0].message.content;
      const asked = (await ctx.agents.invoke('inner', { message: 'go' })).choices[0].message.content;
      return { good: said === 'answer' && asked === '{"leaf":1}' };`);
    const config = {
      runner: { resource_type: 'workflow', resource_id: runner, input: { prompt: 'be good' } },
      result: {
        fault: {
          kind: 'group',
          op: 'AND',
          negate: false,
          children: [{ kind: 'condition', source: 'json', path: 'good', operator: 'is_false' }],
        },
        default_outcome: 'PASS',
      },
      limits: { timeout_ms: 120_000 },
    };
    const preview = () =>
      bus().call(
        monitorPreviews.endpoints.previewConfig,
        parse(monitorPreviews.endpoints.previewConfig.input, {
          use: 'adhoc',
          config,
          payload: { messages: [], response: 'x' },
        }),
        caller(),
      );
    const outcomes = await Promise.all(Array.from({ length: 6 }, preview));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(new Array(6).fill('PASS'));
  }, 180_000);

  it('of chat completions that agents and workflows answer end, all of them', async () => {
    await company.workflow('return { leaf: 1 };', { workflow_ref_name: 'leaf' });
    const chat = (model: string) =>
      `return (await ctx.chat.completions.create({ model: '${model}', messages: [{ role: 'user', content: 'go' }] })).choices[0].message.content;`;
    await agent('inner', await company.workflow(chat('workflow:leaf'), { timeout_seconds: 300 }));
    const outer = await company.workflow(chat('agent:inner'), { timeout_seconds: 300 });
    const runs = await Promise.all(Array.from({ length: 6 }, () => company.execute(outer, { mode: 'async' })));
    const ends = await Promise.all(runs.map(({ run_id = '' }) => company.ended(run_id, ENDED_MS)));
    expect(ends.map(({ status, output }) => [status, output])).toEqual(new Array(6).fill(['COMPLETED', '{"leaf":1}']));
    const depths = await rowsOf(
      `SELECT depth, count(*)::int AS runs FROM workflows.runs WHERE company_id = $1 GROUP BY depth ORDER BY depth`,
      [company.world.companyId],
    );
    expect(depths).toEqual([0, 2, 3].map((depth) => ({ depth, runs: 6 })));
  }, 180_000);

  it('whose last workflow transforms its session end', async () => {
    const transform_session = 'function transform_session(session) { return session.session_id.length > 0; }';
    await agent('inner', await company.workflow('return { leaf: ctx.input.n };', { transform_session }));
    const root = await company.workflow(ask('inner'), { timeout_seconds: 300 });
    const { run_id = '' } = await company.execute(root, { mode: 'async' });
    expect(await company.ended(run_id, ENDED_MS)).toMatchObject({ status: 'COMPLETED', output: '{"leaf":1}' });
    const transforms = await rowsOf(
      'SELECT transformed_session, transform_error FROM workflows.runs WHERE company_id = $1 AND depth = 2',
      [company.world.companyId],
    );
    expect(transforms).toEqual([{ transformed_session: true, transform_error: null }]);
  }, 180_000);

  it('that come back to the session of a task above them do not wait for it', async () => {
    const back = `const reply = await ctx.agents.invoke('talker', { message: 'nested', session_id: ctx.session_id });
      return reply.choices[0].message.content;`;
    const talker = await agent('talker', await company.workflow(back, { timeout_seconds: 300 }));
    world.provider.answerWith(({ messages }) => {
      const last = messages.at(-1);
      if (last?.role === 'tool') return String(last.content);
      return last?.content === 'nested' ? 'nested answer' : { toolCalls: [{ name: 'run', arguments: { n: 1 } }] };
    });
    const reply = await invoke(talker, { session_id: 'talk' });
    expect(reply.choices?.[0]?.message.content).toBe('nested answer');
  }, 180_000);
});

describe('a chain of agents and workflows that calls itself', () => {
  it('is at most ten deep, and all of it fails for that', async () => {
    const again = await company.workflow(ask('recursive'), { timeout_seconds: 300 });
    const recursive = await agent('recursive', again);
    await expect(invoke(recursive)).rejects.toMatchObject({
      status: 422,
      extras: { code: 'depth_exceeded', details: [{ field: 'depth_exceeded' }] },
    });
    const all = await rowsOf<{ depth: number; status: string; failure_class: string; error_code: string }>(
      `SELECT depth, status, failure_class, error_code FROM agents.tasks WHERE company_id = $1
       UNION ALL SELECT depth, status, failure_class, error_code FROM workflows.runs WHERE company_id = $1 ORDER BY depth`,
      [company.world.companyId],
    );
    expect(all).toEqual(
      Array.from({ length: 11 }, (_, depth) => ({
        depth,
        ...{ status: 'FAILED', failure_class: 'quality', error_code: 'depth_exceeded' },
      })),
    );
  }, 180_000);
});

describe('the money of a chain', () => {
  /** What the tasks and runs of the company have cost: each includes what is below it. */
  const costs = () =>
    rowsOf<{ kind: string; depth: number; cost: number; status: string; error_code: string | null }>(
      `SELECT 'task' AS kind, depth, cost, status, error_code FROM agents.tasks WHERE company_id = $1
       UNION ALL SELECT 'run', depth, cost, status, error_code FROM workflows.runs WHERE company_id = $1 ORDER BY depth`,
      [company.world.companyId],
    );

  it('is counted at its root, and ends what is below it when it is used up', async () => {
    const { outer } = await chain();
    const free = await invoke(outer);
    const [root, run, inner] = await costs();
    expect([root?.kind, run?.kind, inner?.kind]).toEqual(['task', 'run', 'task']);
    expect(run?.cost).toBeCloseTo(inner?.cost ?? 0, 12);
    expect(root?.cost).toBeGreaterThan(run?.cost ?? 0);
    expect(free.usage?.cost).toBeCloseTo(root?.cost ?? 0, 12);
    // Enough for the first call of the root, and not for the second call of the task below it.
    const own = ((root?.cost ?? 0) - (run?.cost ?? 0)) / 2;
    company = await world.company();
    await company.model();
    const { outer: capped } = await chain();
    await expect(invoke(capped, { max_cost: own * 1.1 })).rejects.toMatchObject({
      status: 422,
      extras: { details: [{ field: 'budget_exceeded' }] },
    });
    const spent = await costs();
    expect(spent.map(({ depth, error_code }) => [depth, error_code])).toEqual([
      [0, 'budget_exceeded'],
      [1, 'budget_exceeded'],
      [2, 'budget_exceeded'],
    ]);
    expect(spent[0]?.cost).toBeGreaterThan(own * 1.1);
    expect(spent[0]?.cost).toBeLessThan(free.usage?.cost ?? 0);
  }, 120_000);

  it.each(['workflow:failing', 'agent:failing'])(
    'counts what %s has cost in place of a model',
    async (model) => {
      await company.workflow(
        `await ctx.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'hi' }] });
      throw new Error('no');`,
        { workflow_ref_name: 'failing' },
      );
      // Its only call asks for a tool.
      await agent('failing', await company.workflow('return 1;'), { max_iterations: 1 });
      const outer = await company.workflow(
        `for (let n = 0; n < ctx.input.times; n++) {
        try {
          await ctx.chat.completions.create({ model: '${model}', messages: [{ role: 'user', content: 'hi' }] });
        } catch (error) {
          if (error.name === 'BudgetExceededError') throw error;
        }
      }
      return 'caught';`,
      );
      const once = await company.run(outer, { input: { times: 1 } });
      const cost = once.usage.cost ?? 0;
      expect(once.output).toBe('caught');
      expect(cost).toBeGreaterThan(0);
      const before = world.provider.calls.length;
      // As a task calls it that has so much money left.
      const [root, parent] = [randomUUID(), randomUUID()];
      const chain = { root, parent, depth: 1, until: null, budget: cost * 1.5 };
      const calling = company.world.caller({ chain });
      const { run_id = '' } = await company.execute(outer, { mode: 'async', input: { times: 5 } }, calling);
      const run = await company.ended(run_id, ENDED_MS);
      expect(run).toMatchObject({ status: 'FAILED', failure_class: 'quality', error_code: 'budget_exceeded' });
      expect(world.provider.calls.length - before).toBe(2);
      expect(run.usage.cost).toBeCloseTo(cost * 2, 12);
    },
    120_000,
  );
});

describe('the end of the root of a chain', () => {
  const open = () =>
    rowsOf(
      `SELECT id FROM agents.tasks WHERE company_id = $1 AND completed_at IS NULL
       UNION ALL SELECT id FROM workflows.runs WHERE company_id = $1 AND completed_at IS NULL`,
      [company.world.companyId],
    );
  /** A workflow that calls an agent, whose workflow waits at a gate. */
  async function gated(): Promise<{ middle: number }> {
    const { url } = world.target;
    let isOpen = false;
    world.target.answerWith(async () => {
      await eventually('the gate opens', () => isOpen, ENDED_MS);
      return { body: '{}' };
    });
    release = () => (isOpen = true);
    world.target.calls.length = 0;
    await agent('inner', await company.workflow(`await ctx.http.fetch('${url}/gate', { timeout_ms: 60000 });`));
    return { middle: await company.workflow(ask('inner'), { timeout_seconds: 300 }) };
  }
  /** A chain from an agent to that gate. */
  async function waiting(): Promise<{ outer: number; task_id: string }> {
    const { middle } = await gated();
    const outer = await agent('outer', middle);
    const { task_id = '' } = await invoke(outer, { wait: false });
    await eventually('the last workflow waits', () => world.target.calls.length > 0, ENDED_MS);
    return { outer, task_id };
  }
  let release: () => void = () => undefined;
  afterEach(() => release());

  it('by a cancellation ends all of it', async () => {
    const { outer, task_id } = await waiting();
    expect(await open()).toHaveLength(4);
    await bus().call(tasks.endpoints.cancelTask, { agent_id: outer, task_id }, caller());
    await eventually('the chain has ended', async () => (await open()).length === 0, ENDED_MS);
  }, 120_000);

  it('by the deletion of its agent ends all of it', async () => {
    const { outer } = await waiting();
    await bus().call(agents.endpoints.deleteAgent, { agent_id: outer, force: true }, caller());
    await eventually('the chain has ended', async () => (await open()).length === 0, ENDED_MS);
  }, 120_000);

  it('by the deletion of its workflow ends all of it', async () => {
    const { middle } = await gated();
    const { run_id = '' } = await company.execute(middle, { mode: 'async' });
    await eventually('the last workflow waits', () => world.target.calls.length > 0, ENDED_MS);
    await bus().call(workflows.endpoints.deleteWorkflow, { workflow_id: middle, force: true }, caller());
    await eventually('the chain has ended', async () => (await open()).length === 0, ENDED_MS);
    expect(await rowsOf('SELECT status FROM workflows.runs WHERE id = $1', [run_id])).toEqual([
      { status: 'CANCELLED' },
    ]);
  }, 120_000);

  it('leaves nothing behind of a call that was about to begin', async () => {
    await agent('by name', await company.workflow('return 1;'));
    const id = await company.workflow(ask('by name'), { timeout_seconds: 300 });
    let isLookedUp = false;
    const stop = world.platform.connection.listen('rpc.workflows.agent-links.*', () => (isLookedUp = true));
    const service = world.platform.service('agents');
    await service.kill('SIGSTOP');
    const { run_id = '' } = await company.execute(id, { mode: 'async' });
    await eventually('the agent is looked up', () => isLookedUp, ENDED_MS).finally(stop);
    await bus().call(workflowRuns.endpoints.cancelRun, { run_id }, caller());
    await service.kill('SIGCONT');
    // By the end of a later run the reply to the look-up has arrived.
    expect(await company.run(id)).toMatchObject({ status: 'COMPLETED' });
    expect(await rowsOf('SELECT id FROM agents.tasks WHERE called_by = $1', [run_id])).toEqual([]);
  }, 120_000);

  it('goes on when the service of agents goes away while it is asked for the agent of a name', async () => {
    await agent('by name', await company.workflow('return 1;'));
    const id = await company.workflow(ask('by name'), { timeout_seconds: 300 });
    let isLookedUp = false;
    const stop = world.platform.connection.listen('rpc.workflows.agent-links.*', () => (isLookedUp = true));
    const service = world.platform.service('agents');
    await service.kill('SIGSTOP');
    const { run_id = '' } = await company.execute(id, { mode: 'async' });
    await eventually('the agent is looked up', () => isLookedUp, ENDED_MS).finally(stop);
    await service.kill('SIGKILL');
    await service.start();
    expect(await company.ended(run_id, ENDED_MS)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
  }, 120_000);

  it('ends all of it although the workers that would cancel it are gone', async () => {
    const { outer, task_id } = await waiting();
    // No process is left that waits for the workflow of the root, so none cancels it.
    await world.platform.service('agents').kill('SIGKILL');
    await world.platform.service('agents').start();
    await bus().call(tasks.endpoints.cancelTask, { agent_id: outer, task_id }, caller());
    await eventually('the chain has ended', async () => (await open()).length === 0, ENDED_MS);
  }, 180_000);
});
