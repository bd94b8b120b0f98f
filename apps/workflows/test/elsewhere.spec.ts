// What other services do with workflows: models of chat completions, actions of agents, releases, applications.
import {
  actions,
  agents,
  agentVersions,
  applicationWorkflows,
  completions,
  intents,
  releases,
  requests,
  tasks,
  testSets,
  workflowRuns,
  workflows,
  workflowVersions,
} from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { type RunCompany, RunWorld } from './run-world.js';
import { PAGE } from './world.js';

let world: RunWorld;
let company: RunCompany;
beforeAll(async () => {
  world = await RunWorld.start('test-runs');
}, 120_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  company = await world.company();
  await company.model();
});

const bus = () => world.platform.bus;
const caller = () => company.world.caller();
const HELLO = [{ role: 'user' as const, content: 'hello' }];

describe('a workflow as a model', () => {
  const complete = (more: object) =>
    bus().call(
      completions.endpoints.createCompletion,
      { messages: HELLO, return_evaluation: false, ...more },
      caller(),
    );

  /** The newest request of chat traffic. */
  const lastRequest = () =>
    eventually('the request is recorded', async () => {
      const input = { ...PAGE, origin: 'CHAT' };
      return (await bus().call(requests.endpoints.listRequests, input as never, caller())).data[0];
    });

  it('answers a chat completion with its output, and the request names its run', async () => {
    await company.workflow(
      `return { said: ctx.messages[0].content, input: ctx.input, secret: ctx.secrets.get('KEY') !== null };`,
      {
        workflow_ref_name: 'triage',
      },
    );
    const reply = await complete({
      model: 'workflow:triage',
      input: { n: 1 },
      secrets: { KEY: 'value-0123456' },
      session_id: 'visit',
    });
    const output = { said: 'hello', input: { n: 1 }, secret: true };
    expect(reply).toMatchObject({
      object: 'chat.completion',
      model: 'workflow:triage',
      choices: [{ message: { role: 'assistant', content: JSON.stringify(output) }, finish_reason: 'stop' }],
      output,
    });
    const { data } = await bus().call(workflowRuns.endpoints.listAllRuns, { ...PAGE }, caller());
    expect(data).toMatchObject([{ trigger: 'CHAT', session_id: 'visit', status: 'COMPLETED' }]);
    const recorded = await eventually('the request is recorded', async () => {
      const path = { request_id: reply.request_id };
      return bus()
        .call(requests.endpoints.getRequest, path, caller())
        .catch(() => undefined);
    });
    expect(recorded).toMatchObject({ run_id: data[0]?.id, model: 'workflow:triage', status: 'COMPLETED' });
  });

  it('is pinned by a version or a release, answers texts as they are, and is unknown otherwise', async () => {
    const { id } = await company.world.workflow({
      workflow_ref_name: 'flow',
      script: 'function execute() { return "one"; }',
    });
    await company.world.publish(id);
    await company.world.release(id, 'prod', '1.0.0');
    await company.world.change(id, { script: 'function execute() { return "two"; }' });
    const said = async (model: string) =>
      ((await complete({ model })).choices[0] as { message: { content: string } }).message.content;
    expect(await said('workflow:flow')).toBe('two');
    expect(await said('workflow:flow@1.0.0')).toBe('one');
    expect(await said('workflow:flow@prod')).toBe('one');
    for (const model of ['workflow:none', 'workflow:flow@2.0.0', 'workflow:flow@stable', 'workflow:'])
      await expect(complete({ model })).rejects.toMatchObject({ status: 404, extras: { code: 'model_not_found' } });
  });

  it.each([
    ['throw new Error("broken");', {}, 500, 'workflow_failed', 'sandbox'],
    ['return "text";', { output_schema: { type: 'number' } }, 422, 'output_schema', 'quality'],
  ])(
    'that fails is no failure of a provider, so no fallback answers: %s',
    async (body, change, status, code, recorded) => {
      await company.workflow(body, { workflow_ref_name: 'bad', ...change });
      await company.workflow('return "from the fallback";', { workflow_ref_name: 'good' });
      const fallback_config = { model: 'workflow:good', strategy: 'reactive' as const, timeout_ms: 10_000 };
      const refused = await complete({ model: 'workflow:bad', fallback_config }).catch((error: unknown) => error);
      expect(refused).toMatchObject({ status, extras: { code } });
      expect(await lastRequest()).toMatchObject({ status: 'FAILED', failure_class: recorded, fallback_used: false });
    },
  );

  it('whose script loses its model is a failure of a provider, for which the fallback answers', async () => {
    world.provider.answerWith(() => ({ status: 400, error: 'no' }) as never);
    const ask = `ctx.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'hi' }] })`;
    await company.workflow(`return await ${ask};`, { workflow_ref_name: 'bad' });
    await company.workflow('return "from the fallback";', { workflow_ref_name: 'good' });
    const fallback_config = { model: 'workflow:good', strategy: 'reactive' as const, timeout_ms: 10_000 };
    expect(await complete({ model: 'workflow:bad', fallback_config })).toMatchObject({
      fallback_used: true,
      output: 'from the fallback',
    });
  });

  it('and an agent that fails by quality is recorded as such', async () => {
    world.provider.answerWith(() => 'no JSON');
    const { id } = await bus().call(
      agents.endpoints.createAgent,
      {
        application_id: company.world.applicationId,
        agent_name: 'Clerk',
        model: 'm',
        status: 'ENABLED',
        execution_mode: 'reasoning',
        agent_config: {},
        max_iterations: 4,
        meta: {},
      },
      caller(),
    );
    // Its name has the digits of another number than its id.
    const named = { agent_id: id, agent_name: '2147483646' };
    await bus().call(agents.endpoints.updateAgent, named, caller());
    const response_format = { type: 'json_object' as const };
    await expect(complete({ model: 'agent:2147483646', response_format })).rejects.toMatchObject({ status: 422 });
    await expect(complete({ model: 'agent:2147483645' })).rejects.toMatchObject({ status: 404 });
    const refused = await complete({ model: `agent:${id}`, response_format }).catch((error: unknown) => error);
    expect(refused).toMatchObject({ status: 422, extras: { code: 'output_schema' } });
    expect(await lastRequest()).toMatchObject({ status: 'FAILED', failure_class: 'quality' });
  });

  it('serves an intent, which keeps it from being deleted unless forced', async () => {
    const id = await company.workflow('return "from the workflow";', { workflow_ref_name: 'desk' });
    const intent = (model: string) =>
      bus().call(
        intents.endpoints.createIntent,
        { application_id: company.world.applicationId, action_type: 'ask', config: { model } } as never,
        caller(),
      );
    await expect(intent('workflow:none')).rejects.toMatchObject({ status: 404 });
    const { id: intent_id } = await intent('workflow:desk');
    const reply = await complete({ application: 'Shop', intent: 'ask' });
    expect(reply).toMatchObject({ model: 'workflow:desk', output: 'from the workflow' });
    const remove = (force: boolean) =>
      bus().call(workflows.endpoints.deleteWorkflow, { workflow_id: id, force }, caller());
    await expect(remove(false)).rejects.toMatchObject({
      status: 409,
      message: `the workflow serves 1 intents: ${intent_id}`,
    });
    await remove(true);
    const path = { application_id: company.world.applicationId, intent_id };
    const view = await bus().call(intents.endpoints.getIntentConfig, path, caller());
    expect(view.config).not.toHaveProperty('model');
  });
});

describe('a workflow as an action', () => {
  const agent = async (action_config: object | null, is_default = false) => {
    const { id } = await bus().call(
      agents.endpoints.createAgent,
      {
        application_id: company.world.applicationId,
        agent_name: 'Clerk',
        model: 'm',
        status: 'ENABLED',
        execution_mode: 'reasoning',
        agent_config: {},
        max_iterations: 4,
        meta: {},
      },
      caller(),
    );
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

describe('the releases of workflows', () => {
  it('are in the list over all families', async () => {
    const { id } = await company.world.workflow({ workflow_ref_name: 'flow' });
    await company.world.publish(id);
    await company.world.release(id, 'stable', '1.0.0', true);
    const listed = (more: object) => bus().call(releases.endpoints.listAllReleases, { ...PAGE, ...more }, caller());
    const expected = { parent_type: 'workflow', parent_id: id, parent_name: 'flow', name: 'stable', is_default: true };
    expect(await listed({})).toMatchObject({ data: [expected], pagination: { total: 1 } });
    expect((await listed({ parent_type: ['workflow'], parent_id: id, search: 'sta' })).data).toMatchObject([expected]);
    expect((await listed({ parent_type: ['agent'] })).data).toEqual([]);
  });
});

describe('a release of a workflow with a gate', () => {
  it('does not move without a test run that matches, and keeps its test set', async () => {
    const { id: workflow_id } = await company.world.workflow({ workflow_ref_name: 'gated' });
    await company.world.publish(workflow_id);
    const set = await bus().call(
      testSets.endpoints.createTestSet,
      { name: 'golden', consumer_kinds: [], criteria_ids: [], tags: [], meta: {} },
      caller(),
    );
    const gate_policy = { test_set_id: set.id, min_match_rate: 0.9, max_age_ms: 3_600_000, max_error_rate: 0 };
    const { createRelease, updateRelease } = workflowVersions.endpoints;
    const body = { workflow_id, name: 'stable', version: '1.0.0', is_default: false };
    const refused = { status: 409, extras: { details: [{ field: 'test_run', message: 'no test run matches' }] } };
    await expect(bus().call(createRelease, { ...body, gate_policy }, caller())).rejects.toMatchObject(refused);
    await bus().call(createRelease, body, caller());
    await bus().call(updateRelease, { workflow_id, release_name: 'stable', gate_policy }, caller());
    const remove = bus().call(testSets.endpoints.deleteTestSet, { test_set_id: set.id }, caller());
    await expect(remove).rejects.toMatchObject({ status: 409 });
  });
});

describe('the workflows of an application', () => {
  it('are listed with their runs', async () => {
    const { applicationId: application_id } = company.world;
    const id = await company.workflow('return 1;', { application_id });
    await company.workflow('return 1;');
    const run = await company.run(id);
    const { listApplicationWorkflows, listApplicationWorkflowRuns } = applicationWorkflows.endpoints;
    const found = await bus().call(listApplicationWorkflows, { ...PAGE, application_id }, caller());
    expect(found.data.map((workflow) => workflow.id)).toEqual([id]);
    const runs = await bus().call(
      listApplicationWorkflowRuns,
      { ...PAGE, application_id, status: ['COMPLETED'] },
      caller(),
    );
    expect(runs.data.map((each) => each.id)).toEqual([run.id]);
    const unknown = { ...PAGE, application_id: 2_000_000_000 };
    await expect(bus().call(listApplicationWorkflows, unknown, caller())).rejects.toMatchObject({ status: 404 });
  });
});
