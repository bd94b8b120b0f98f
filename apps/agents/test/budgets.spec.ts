// What a task may cost and how long it may take, with all that is not one of its model calls.
import { type Chain, companies, type RoutingCondition, routing, tasks } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { type TaskCompany, TaskWorld } from './task-world.js';

let outside: TaskWorld;
let company: TaskCompany;
beforeAll(async () => {
  // The second background action of a company begins when the first one has ended.
  outside = await TaskWorld.apart({ COMPANY_JOBS_AT_ONCE: '1' });
}, 120_000);
afterAll(() => outside?.stop());
beforeEach(async () => {
  outside.reset();
  company = await outside.company();
});

/** The steps of a task as they are stored. */
const stepsOf = async (taskId: string) => {
  const { rows } = await outside.platform.sql.query<{ step_no: number; status: string; result: { usage: unknown } }>(
    'SELECT step_no, status, result FROM agents.task_steps WHERE task_id = $1 ORDER BY step_no',
    [taskId],
  );
  return rows;
};

const llm = (agentId: number, name: string, invocation_mode: 'background' | 'foreground') =>
  company.action(
    agentId,
    name,
    {},
    {
      action_type: 'llm',
      invocation_mode,
      action_config: { prompt: `You are ${name}.`, model_config: { model: 'm' } },
    },
  );

/** An agent without the action that the other ones have. */
const agentOf = async (): Promise<number> => (await company.world.agent({ model: 'm', system_prompt: 'ROOT' })).id;

const isRoot = ({ messages }: { messages: { role: string; content?: unknown }[] }): boolean =>
  messages.some(({ content }) => typeof content === 'string' && content.includes('ROOT'));

describe('background actions of a task with a budget', () => {
  it('begin while there is a budget, all have a result, and what they have cost ends the task', async () => {
    const agentId = await agentOf();
    await llm(agentId, 'first', 'background');
    await llm(agentId, 'second', 'background');
    await company.action(agentId, 'wait', { endpoint: `${outside.target.url}/wait`, parameters: {} });
    let taskId = '';
    // The action in the foreground ends when the one in the background has been paid for.
    outside.target.answerWith(async () => {
      await eventually(
        'both background actions have a result',
        async () => (await stepsOf(taskId)).filter(({ status }) => status !== 'PENDING').length === 3,
      );
      return { body: '{}' };
    });
    outside.provider.answerWith((request) => {
      if (!isRoot(request)) return 'x'.repeat(4000);
      return { toolCalls: ['first', 'second', 'wait'].map((name) => ({ name, arguments: { input: 'go' } })) };
    });
    const { task_id = '' } = await company.invoke(agentId, { wait: false, max_cost: 0.0005 });
    taskId = task_id;
    const row = await company.ended(task_id);
    expect(row).toMatchObject({ status: 'FAILED', failure_class: 'quality', error_code: 'budget_exceeded' });
    // The second call of the model was not made.
    expect(outside.provider.calls.filter(({ body }) => isRoot(body as never))).toHaveLength(1);
    const [, ...background] = await stepsOf(task_id);
    // The one that came later was refused, whichever it was.
    expect(background.map(({ status }) => status).sort()).toEqual(['ERROR', 'SUCCESS', 'SUCCESS']);
    expect(outside.provider.calls.filter(({ body }) => !isRoot(body as never))).toHaveLength(1);
    const paid = await outside.platform.sql.query('SELECT cost FROM agents.tasks WHERE id = $1', [task_id]);
    expect((paid.rows[0] as { cost: number }).cost).toBeGreaterThan(0.0005);
  });
});

describe('background actions of a task that its budget has ended', () => {
  it('have a result: that of the one under way, and why the other one was not begun', async () => {
    const agentId = await agentOf();
    const slow = { endpoint: `${outside.target.url}/slow`, parameters: {} };
    await company.action(agentId, 'slow', slow, { invocation_mode: 'background' });
    await llm(agentId, 'second', 'background');
    await llm(agentId, 'dear', 'foreground');
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    outside.target.answerWith(async () => {
      await ended;
      return { body: '{}' };
    });
    outside.provider.answerWith(async (request) => {
      if (isRoot(request))
        return { toolCalls: ['slow', 'second', 'dear'].map((name) => ({ name, arguments: { input: 'go' } })) };
      await eventually('the first action runs', () => outside.target.calls.length > 0);
      return 'x'.repeat(4000);
    });
    const { task_id = '' } = await company.invoke(agentId, { wait: false, max_cost: 0.0005 });
    expect(await company.ended(task_id)).toMatchObject({ status: 'FAILED', error_code: 'budget_exceeded' });
    const results = async () =>
      (await company.timeline(agentId, task_id)).data
        .filter(({ type }) => type === 'action_result')
        .map(({ action_name, status, message }) => [action_name, status, message]);
    expect(await results()).toEqual([['dear', 'SUCCESS', undefined]]);
    end();
    await eventually('each has a result', async () => (await results()).length === 3);
    expect((await results()).slice(1)).toEqual([
      ['slow', 'SUCCESS', undefined],
      ['second', 'ERROR', 'the task has cost more than 0.0005 US dollars'],
    ]);
    expect((await stepsOf(task_id)).map(({ status }) => status)).not.toContain('PENDING');
  });
});

describe('the judge of routing rules', () => {
  const condition = (change: Partial<RoutingCondition>): RoutingCondition => ({
    ...{ target_type: 'message', operator: 'classify', value: 'x', enabled: true, threshold: 0 },
    ...change,
  });
  const rule = (agent_id: number, conditions: RoutingCondition[], condition_expression: string | null = null) =>
    outside.platform.bus.call(
      routing.endpoints.createRoutingRule,
      {
        ...{ agent_id, label: 'rule', enabled: true, conditions, condition_expression },
        route: { type: 'llm' },
      },
      company.world.caller(),
    );
  /** The classes that the judge was asked about. */
  const asked = () =>
    outside.provider.calls.flatMap(({ body }) => /class\? \\?"([a-z]+)/.exec(JSON.stringify(body))?.[1] ?? []);

  async function judging(): Promise<number> {
    const settings = { judge_model: 'm' };
    await outside.platform.bus.call(companies.endpoints.updateCompany, { settings }, company.world.caller());
    outside.provider.answerWith((request) => {
      if (isRoot(request)) return 'answer';
      const yes = JSON.stringify(request).includes('yes');
      return JSON.stringify({
        answer: JSON.stringify(request.messages).includes('aye') ? 'yes' : 'no',
        confidence: 1,
        yes,
      });
    });
    return agentOf();
  }

  it('is asked one condition after the other until the rule is decided, and its usage is that of the task', async () => {
    const agentId = await judging();
    await rule(agentId, [
      condition({ value: 'aye' }),
      condition({ value: 'nay' }),
      condition({ value: 'never' }),
      condition({ target_type: 'state', variable_path: 'a', operator: 'is_null', value: null }),
    ]);
    await rule(agentId, [condition({ value: 'aye' }), condition({ value: 'other' })], '0 OR 1');
    await rule(agentId, [
      condition({ target_type: 'state', variable_path: 'a', operator: 'is_not_null' }),
      condition({ value: 'unneeded' }),
    ]);
    const { task_id = '', usage } = await company.invoke(agentId);
    expect(asked()).toEqual(['aye', 'nay', 'aye']);
    const [model] = (await stepsOf(task_id)) as { result: { usage: { total_tokens: number } } }[];
    expect(usage?.total_tokens).toBeGreaterThan(model?.result.usage.total_tokens ?? Infinity);
    expect(await company.row(task_id)).toMatchObject({ cost: usage?.cost });
  });

  it('is asked without a temperature by a model that takes none', async () => {
    const agentId = await judging();
    await rule(agentId, [condition({ value: 'aye' })]);
    outside.provider.answerWith((request) => {
      if (isRoot(request)) return 'answer';
      if ('temperature' in request) return { error: { status: 400, message: 'temperature is not supported' } };
      return JSON.stringify({ answer: 'yes', confidence: 1 });
    });
    expect((await company.invoke(agentId)).choices?.[0]?.message.content).toBe('answer');
    expect(asked()).toEqual(['aye', 'aye']);
  });

  it('is cancelled with the task, and what was judged before is counted', async () => {
    const agentId = await judging();
    for (const value of ['one', 'two']) await rule(agentId, [condition({ value })]);
    outside.provider.answerWith(({ messages }) =>
      JSON.stringify(messages).includes('two') ? { hang: true } : JSON.stringify({ answer: 'no', confidence: 1 }),
    );
    const { task_id = '' } = await company.invoke(agentId, { wait: false });
    const hanging = await eventually('the second rule is judged', () => outside.provider.calls[1]);
    const path = { agent_id: agentId, task_id };
    await outside.platform.bus.call(tasks.endpoints.cancelTask, path, company.world.caller());
    await eventually('the call is dropped', () => hanging.aborted);
    const failed = await eventually('its request is recorded', async () => {
      const { rows } = await outside.platform.sql.query<{ error_message: string }>(
        `SELECT error_message FROM traffic.requests WHERE origin_id = $1 AND status = 'FAILED'`,
        [task_id],
      );
      return rows[0];
    });
    // Not by the time limit of the provider.
    expect(failed.error_message).toBe('client_disconnected');
    await eventually('the first rule is paid', async () => Number((await company.row(task_id))['cost']) > 0);
  });

  it('ends the task when it has cost more than its budget, and that is counted', async () => {
    const agentId = await judging();
    for (const value of ['one', 'two', 'three']) await rule(agentId, [condition({ value })]);
    const { task_id = '' } = await company.invoke(agentId, { wait: false, max_cost: 0.000001 });
    const row = await company.ended(task_id);
    expect(row).toMatchObject({ status: 'FAILED', failure_class: 'quality', error_code: 'budget_exceeded' });
    expect(asked()).toEqual(['one']);
    expect(row['cost']).toBeGreaterThan(0.000001);
  });
});

describe('a task that has to end', () => {
  it('does so between two actions of one answer', async () => {
    const agentId = await company.agent({}, { endpoint: `${outside.target.url}/slow`, parameters: {} });
    outside.provider.answerWith(() => ({
      toolCalls: [1, 2, 3].map(() => ({ name: 'look_up', arguments: {} })),
    }));
    const until = Date.now() + 4000;
    outside.target.answerWith(async () => {
      await eventually('the time is over', () => Date.now() > until);
      return { body: '{}' };
    });
    const root = '11111111-1111-4111-8111-111111111111';
    const chain: Chain = { root, parent: root, depth: 1, until, budget: null };
    const caller = company.world.caller({ chain });
    const { task_id = '' } = await company.invoke(agentId, { wait: false }, caller);
    const row = await company.ended(task_id);
    expect(row).toMatchObject({
      status: 'FAILED',
      failure_class: 'timeout',
      error_code: 'timeout',
      depth: 1,
      root_id: root,
    });
    expect(outside.target.calls.length).toBeLessThanOrEqual(1);
  });
});
