import { type ApiError, applications, models } from '@signalbox/contracts';
import { refusal, type TaskCompany, TaskWorld } from './task-world.js';
import { PAGE } from './world.js';

let outside: TaskWorld;
let company: TaskCompany;
beforeAll(async () => {
  outside = await TaskWorld.start();
}, 60_000);
afterAll(() => outside.stop());
beforeEach(async () => {
  company = await outside.company();
  outside.provider.answerWith(() => 'fine');
});

const tasksOf = async (agentId: number): Promise<number> => {
  const { rows } = await outside.platform.sql.query('SELECT 1 FROM agents.tasks WHERE agent_id = $1', [agentId]);
  return rows.length;
};

const disable = (id: number) =>
  outside.platform.bus.call(models.endpoints.disableModel, { model_id: id }, company.world.caller());

const setApplication = (state: 'ENABLED' | 'DISABLED') =>
  outside.platform.bus.call(
    applications.endpoints.updateApplication,
    { application_id: company.world.applicationId, state },
    company.world.caller(),
  );

describe('an invocation whose calls cannot be made', () => {
  it('is refused with 404 when a model was deleted after the agent was created', async () => {
    const { id } = await company.world.model('short-lived');
    const agentId = await company.agent({ model: 'short-lived' });
    // Of a deletion that did not see the agent: one that is named is refused otherwise.
    await outside.platform.sql.query('DELETE FROM traffic.models WHERE id = $1', [id]);
    const error = await refusal(company.invoke(agentId));
    expect(error).toMatchObject({
      status: 404,
      message: 'model short-lived not found',
      extras: {
        code: 'model_not_found',
        details: [{ field: 'model', message: 'names model short-lived, which does not exist' }],
      },
    });
    expect(error.extras.headers).toBeUndefined();
    expect(await tasksOf(agentId)).toBe(0);
  });

  it('is refused with 404 when a model of the agent, a step or an enabled llm action is disabled', async () => {
    const { id } = await company.world.model('off');
    const agentId = await company.agent({ model: 'off', agent_config: { steps: { respond: { model: 'off' } } } });
    const says = { action_type: 'llm', action_config: { prompt: 'x', model_config: { model: 'off' } } } as const;
    await company.world.action(agentId, 'says', says);
    await company.world.action(agentId, 'silent', { ...says, enabled: false });
    expect(await company.invoke(agentId)).toMatchObject({ object: 'chat.completion' });
    await disable(id);
    const error = await refusal(company.invoke(agentId, { wait: false }));
    expect(error).toMatchObject({ status: 404, message: 'model off is disabled', extras: { code: 'model_not_found' } });
    const message = 'names model off, which is disabled';
    expect(error.extras.details).toEqual([
      { field: 'model', message },
      { field: 'agent_config.steps.respond.model', message },
      { field: 'actions[1].action_config.model_config.model', message },
    ]);
    expect(await tasksOf(agentId)).toBe(1);
  });

  it('is refused with 404 when the default model of its application is disabled, unless no call uses it', async () => {
    const { id } = await company.world.model('by-default');
    await outside.platform.bus.call(
      applications.endpoints.updateApplicationConfig,
      { application_id: company.world.applicationId, model: 'by-default' },
      company.world.caller(),
    );
    const agentId = await company.agent({ model: null });
    const own = await company.agent({ model: 'm', agent_name: 'Own' });
    await disable(id);
    expect(await refusal(company.invoke(agentId))).toMatchObject({
      status: 404,
      extras: { details: [{ field: 'model', message: 'names model by-default, which is disabled' }] },
    });
    expect(await tasksOf(agentId)).toBe(0);
    expect(await company.invoke(own)).toMatchObject({ object: 'chat.completion' });
  });

  it('is refused with 409 while its application is disabled', async () => {
    const agentId = await company.agent();
    await setApplication('DISABLED');
    expect(await refusal(company.invoke(agentId))).toMatchObject({
      status: 409,
      message: `application ${company.world.applicationId} is DISABLED`,
      extras: { code: 'application_disabled' },
    });
    expect(await tasksOf(agentId)).toBe(0);
    await setApplication('ENABLED');
    expect(await company.invoke(agentId)).toMatchObject({ object: 'chat.completion' });
  });

  it('is refused with 422 when a config was stored that is not valid', async () => {
    const agentId = await company.agent();
    // Of a release that did not validate it.
    const bad = JSON.stringify({ temperature: 'hot' });
    await outside.platform.sql.query('UPDATE agents.agents SET agent_config = $2 WHERE id = $1', [agentId, bad]);
    expect(await refusal(company.invoke(agentId))).toMatchObject({
      status: 422,
      extras: { code: 'invalid_config', details: [{ field: 'agent_config.temperature' }] },
    });
    expect(await tasksOf(agentId)).toBe(0);
  });

  it('is accepted while the service of the models is down, and completes after the outage', async () => {
    const agentId = await company.agent();
    await outside.platform.service('traffic').kill('SIGKILL');
    const accepted = await company.invoke(agentId, { wait: false });
    await outside.platform.startService('traffic');
    expect(await company.ended(accepted.task_id)).toMatchObject({ status: 'COMPLETED' });
  });
});

describe('a task whose calls cannot be made any more', () => {
  /** Lets the model choose an action, and changes something before it is called again. */
  const changing = (change: () => Promise<unknown>) =>
    outside.provider.answerWith(async ({ messages }) => {
      if (messages.at(-1)?.role === 'tool') return 'never';
      await change();
      return { toolCalls: [{ name: 'look_up', arguments: { id: '7' } }] };
    });

  const taskOf = (error: ApiError) => company.row(String(error.extras.headers?.['X-Service-Task-Id']));

  it('fails once as internal with the code of the refusal when its model was disabled', async () => {
    const agentId = await company.agent();
    const { data } = await outside.platform.bus.call(models.endpoints.listModels, PAGE, company.world.caller());
    const id = data.find(({ model_name }) => model_name === 'm')?.id ?? 0;
    changing(() => disable(id));
    const asked = outside.provider.calls.length;
    const error = await refusal(company.invoke(agentId));
    expect(error).toMatchObject({ status: 404, extras: { code: 'model_not_found' } });
    expect(await taskOf(error)).toMatchObject({
      status: 'FAILED',
      failure_class: 'internal',
      error_code: 'model_not_found',
    });
    expect(outside.provider.calls).toHaveLength(asked + 1);
  });

  it('fails as internal with the code of the refusal when its application was disabled', async () => {
    const agentId = await company.agent();
    changing(() => setApplication('DISABLED'));
    const error = await refusal(company.invoke(agentId));
    expect(error).toMatchObject({ status: 409, extras: { code: 'application_disabled' } });
    expect(await taskOf(error)).toMatchObject({ failure_class: 'internal', error_code: 'application_disabled' });
  });
});
