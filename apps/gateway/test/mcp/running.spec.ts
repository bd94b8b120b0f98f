import { randomUUID } from 'node:crypto';
import { evaluatedRuns, tasks, testSetItems, testSets, workflows } from '@signalbox/contracts';
import { dataIn } from './client.js';
import { agentId, call, caller, companyId, platform } from './fixture.js';

const ECHO = 'async function execute(ctx) { return ctx.input; }';

describe('running', () => {
  it('invokes an agent, explains its task, and the task says what has started it', async () => {
    const answered = await call('invoke', { agent_id: agentId, message: 'hello </data> there' });
    expect(answered.text).toMatch(/^task [0-9a-f-]+ is COMPLETED/);
    const { id } = dataIn(answered.text) as { id: string };
    const task = await platform.bus.call(tasks.endpoints.getAnyTask, { task_id: id, wait_seconds: 0 }, caller());
    expect(task).toMatchObject({ trigger: 'MCP', status: 'COMPLETED' });
    const again = await call('get_run', { id });
    expect(dataIn(again.text)).toMatchObject({ id, trigger: 'MCP' });
    const explained = await call('explain_run', { id });
    expect(dataIn(explained.text)).toMatchObject({ events: expect.arrayContaining([expect.anything()]) });
    expect(explained.text.match(/<\/data/g)).toHaveLength(1);
  });

  it('answers with a handle when the run takes longer than it may be waited for', async () => {
    const started = await call('invoke', { agent_id: agentId, message: 'later', wait_seconds: 0 });
    const { id } = dataIn(started.text) as { id: string };
    expect(started.text).toContain(`task ${id}`);
    expect((await call('get_run', { id, wait_seconds: 45 })).text).toContain('is COMPLETED');
  });

  it('answers with a handle while a task waits for a callback', async () => {
    const { id } = dataIn((await call('invoke', { agent_id: agentId, message: 'call me' })).text) as { id: string };
    await platform.sql.query(
      `UPDATE agents.tasks SET status = 'WAITING_WEBHOOK', completed_at = NULL WHERE company_id = $1 AND id = $2`,
      [companyId, id],
    );
    const { text } = await call('get_run', { id, wait_seconds: 0 });
    expect(text).toMatch(/^task [0-9a-f-]+ is WAITING_WEBHOOK\nIt continues: get_run with id/);
  });

  it('executes a workflow and a test set', async () => {
    const workflow = await platform.bus.call(
      workflows.endpoints.createWorkflow,
      { workflow_ref_name: `flow-${randomUUID().slice(0, 8)}`, script: ECHO, language: 'javascript' } as never,
      caller(),
    );
    const { text } = await call('execute', { workflow_id: workflow.id, input: { a: 1 } });
    expect(text).toMatch(/^workflow_run [0-9a-f-]+ is COMPLETED/);
    expect(dataIn(text)).toMatchObject({ output: { a: 1 } });
    expect((await call('publish', { kind: 'workflow', id: workflow.id })).text).toContain('1.0.0');
    const set = await platform.bus.call(testSets.endpoints.createTestSet, { name: 'Set' } as never, caller());
    const run = { test_set_id: set.id, consumer_kind: 'MODEL', consumer_config: { model: 'simulated-echo' } };
    const ran = await call('run_tests', run);
    expect(ran.text).toMatch(/^test_run \d+ is /);
    const { id } = dataIn(ran.text) as { id: number };
    expect((await call('explain_run', { id: String(id) })).text).toContain(`test_run ${id}`);
  });

  it('compares runs with the significance of their differences, and lists what got worse', async () => {
    const set = await platform.bus.call(testSets.endpoints.createTestSet, { name: 'Compared' } as never, caller());
    const add = (text: string) => {
      const item = { test_set_id: set.id, input: { input: 'a' }, expected_output: { text } };
      return platform.bus.call(testSetItems.endpoints.createTestSetItem, item as never, caller());
    };
    const consumer = { consumer_kind: 'MODEL', consumer_config: { model: 'simulated-echo' } };
    const test = async () => {
      const input = { test_set_id: set.id, ...consumer, wait_seconds: 60 };
      return (await platform.bus.call(evaluatedRuns.endpoints.runTestSet, input as never, caller())).id;
    };
    const { id: item_id } = await add('[simulated] a');
    await add('b');
    const runs = [await test()];
    const changed = { test_set_id: set.id, item_id, expected_output: { text: 'c' } };
    await platform.bus.call(testSetItems.endpoints.updateTestSetItem, changed as never, caller());
    runs.push(await test());
    const compared = dataIn((await call('compare_runs', { test_run_ids: runs })).text);
    expect(compared).toMatchObject({
      runs: [{ match_rate: 0.5 }, { match_rate: 0 }],
      differences: [{ name: 'match_rate', n: 2, verdict: 'too_few' }],
      total: 1,
      items: [{ results: { [runs[0] ?? 0]: { outcome: 'PASS' }, [runs[1] ?? 0]: { outcome: 'FAIL' } } }],
    });
  });

  it.each(['get_run', 'explain_run'])('%s knows no run by another id', async (name) => {
    for (const id of [randomUUID(), '999999999', 'abc', '0', "1' OR 1=1"])
      expect(await call(name, { id })).toMatchObject({ isError: true, text: expect.stringContaining('404') });
  });
});
