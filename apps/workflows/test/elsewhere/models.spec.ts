import { agents, completions, intents, requests, workflowRuns, workflows } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { PAGE } from '../world.js';
import { bus, caller, company, world } from './fixture.js';

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
    const id = await company.agent('Clerk');
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
