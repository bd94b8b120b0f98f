import { actions, agentVersions, tasks, workflowRuns, workflows } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { PAGE } from '../world.js';
import { bus, caller, company, world } from './fixture.js';

describe('a workflow as an action', () => {
  const agent = async (action_config: object | null, is_default = false) => {
    const id = await company.agent('Clerk');
    const action = await bus().call(
      actions.endpoints.createAction,
      {
        agent_id: id,
        action_name: 'price',
        action_type: 'maitai_workflow',
        description: 'computes a price',
        enabled: true,
        action_config: action_config as never,
        meta: {},
        is_default,
        action_result_type: 'gather_info',
        invocation_mode: 'foreground',
      },
      caller(),
    );
    return { agentId: id, actionId: action.id };
  };
  const priced = () => company.workflow('return { price: ctx.input.quantity * 3 };', { workflow_ref_name: 'pricing' });
  const mapping = { quantity: 'order.quantity' };

  it('exists in the company', async () => {
    await expect(agent({ workflow_id: 2_000_000_000, input_mapping: {} })).rejects.toMatchObject({
      status: 404,
      message: 'workflow not found',
    });
  });

  it('is tested, and run by an agent with the mapped input', async () => {
    const workflow_id = await priced();
    const { agentId, actionId } = await agent({ workflow_id, input_mapping: mapping });
    const test = { action_id: actionId, arguments: { order: { quantity: 4 } }, secrets: {} };
    expect(await bus().call(actions.endpoints.testAction, test, caller())).toMatchObject({
      status: 'SUCCESS',
      output: { price: 12 },
    });
    world.provider.answerWith(({ messages }) => {
      const last = messages.at(-1);
      return last?.role === 'tool'
        ? `read: ${String(last.content)}`
        : { toolCalls: [{ name: 'price', arguments: { order: { quantity: 5 } } }] };
    });
    const invoke = {
      agent_id: agentId,
      message: 'how much?',
      secrets: {},
      wait: true,
      stream: false,
      state: {},
      metadata: {},
    };
    const answer = await bus().call(tasks.endpoints.invokeAgent, invoke, caller());
    expect(answer.choices?.[0]?.message.content).toBe('read: {"price":15}');
    const { data } = await bus().call(workflowRuns.endpoints.listAllRuns, { ...PAGE, include_body: true }, caller());
    expect(data).toMatchObject([
      {
        trigger: 'AGENT',
        input: { quantity: 5 },
        metadata: { task_id: answer.task_id },
        session_id: answer.session_id,
      },
      { trigger: 'TEST', input: { quantity: 4 } },
    ]);
  });

  it('that takes longer than its test may is cancelled', async () => {
    world.target.answerWith(() => ({ hang: true }));
    const workflow_id = await company.workflow(`await ctx.http.fetch('${world.target.url}');`);
    const { actionId } = await agent({ workflow_id, input_mapping: {} });
    const test = { action_id: actionId, arguments: { input: {} }, secrets: {} };
    const soon = { ...caller(), deadline: Date.now() + 4000 };
    expect(await bus().call(actions.endpoints.testAction, test, soon)).toMatchObject({ status: 'TIMEOUT' });
    await eventually('the run is cancelled', async () => {
      const { data } = await bus().call(workflowRuns.endpoints.listAllRuns, { ...PAGE }, caller());
      return data[0]?.status === 'CANCELLED';
    });
  });

  it('cannot be tested while the service of workflows is away', async () => {
    const { actionId } = await agent({ workflow_id: await priced(), input_mapping: mapping });
    const test = { action_id: actionId, arguments: { order: { quantity: 4 } }, secrets: {} };
    await world.platform.service('workflows').kill('SIGKILL');
    try {
      await expect(bus().call(actions.endpoints.testAction, test, caller())).rejects.toMatchObject({ status: 503 });
    } finally {
      await world.platform.startService('workflows');
    }
  });

  it('that fails is an error of the action', async () => {
    const workflow_id = await company.workflow('throw new Error("broken");');
    const { actionId } = await agent({ workflow_id, input_mapping: {} });
    const test = { action_id: actionId, arguments: { input: {} }, secrets: {} };
    expect(await bus().call(actions.endpoints.testAction, test, caller())).toMatchObject({
      status: 'ERROR',
      failure_class: 'sandbox',
      error_message: expect.stringContaining('broken'),
    });
  });

  it('is frozen by a publish, is no difference to the draft, and keeps the workflow from being deleted', async () => {
    const workflow_id = await priced();
    const { agentId } = await agent({ workflow_id, input_mapping: mapping });
    const publish = () =>
      bus().call(
        agentVersions.endpoints.publishVersion,
        { agent_id: agentId, increment: 'minor', version_notes: '' },
        caller(),
      );
    await expect(publish()).rejects.toMatchObject({
      status: 409,
      message: 'workflow pricing has no published version',
    });
    await company.world.publish(workflow_id);
    const { version } = await publish();
    const read = { agent_id: agentId, version, include_snapshot: true };
    expect((await bus().call(agentVersions.endpoints.getVersion, read, caller())).snapshot).toMatchObject({
      actions: [{ action_name: 'price', action_config: { workflow_id, version: '1.0.0' } }],
    });
    const diff = { agent_id: agentId, from: version, to: 'draft' };
    expect(await bus().call(agentVersions.endpoints.diffVersions, diff, caller())).toMatchObject({
      has_changes: false,
    });
    await bus().call(agentVersions.endpoints.restoreVersion, { agent_id: agentId, version }, caller());
    expect(await bus().call(agentVersions.endpoints.diffVersions, diff, caller())).toMatchObject({
      has_changes: false,
    });
    const remove = bus().call(workflows.endpoints.deleteWorkflow, { workflow_id, force: true }, caller());
    await expect(remove).rejects.toMatchObject({
      status: 409,
      message: `actions of 1 agents run the workflow: ${agentId}`,
    });
  });
});
