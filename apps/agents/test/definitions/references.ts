import {
  actions,
  agentLinks,
  agents,
  agentVersions,
  applications,
  formFields,
  intents,
  models,
  routing,
  subAgents,
} from '@signalbox/contracts';
import { PAGE } from '../world.js';
import { platform, world } from './fixture.js';
import { publishWorkflow, workflowOf } from './workflows.js';

const update = (agent_id: number, change: object) =>
  platform.bus.call(agents.endpoints.updateAgent, { agent_id, ...change }, world.caller());
const drop = (agent_id: number, force = false) =>
  platform.bus.call(agents.endpoints.deleteAgent, { agent_id, force }, world.caller());
const missing = (...fields: string[]) => ({ status: 404, extras: { details: fields.map((field) => ({ field })) } });

describe('models that a definition names', () => {
  it('exist when an agent is written', async () => {
    const agent_config = { steps: { respond: { model: 'none' } } };
    const both = missing('model', 'agent_config.steps.respond.model');
    await expect(world.agent({ model: 'none', agent_config })).rejects.toMatchObject(both);
    const { id } = await world.agent({ model: 'simulated-echo' });
    await expect(update(id, { model: 'none' })).rejects.toMatchObject(missing('model'));
    await expect(update(id, { agent_config })).rejects.toMatchObject(missing('agent_config.steps.respond.model'));
    await expect(update(2_000_000_000, { model: 'none' })).rejects.toMatchObject({ message: 'agent not found' });
  });

  it('exist when an action is written, enabled or not', async () => {
    const { id } = await world.agent();
    const config = (model: string) => ({ prompt: 'Say hi', model_config: { model } });
    const bad = missing('action_config.model_config.model');
    const create = (model: string) => world.action(id, 'say', { action_type: 'llm', action_config: config(model) });
    await expect(create('none')).rejects.toMatchObject(bad);
    const model = await world.model('sleeping');
    await platform.bus.call(models.endpoints.disableModel, { model_id: model.id }, world.caller());
    const action = await create('sleeping');
    const change = { action_id: action.id, action_config: config('none') };
    await expect(platform.bus.call(actions.endpoints.updateAction, change, world.caller())).rejects.toMatchObject(bad);
  });

  it('exist when a version is published, and each enabled action has its config', async () => {
    const model = await world.model('short-lived');
    const { id } = await world.agent({ model: 'short-lived' });
    await world.action(id, 'bare', { action_config: null });
    // A model that a draft names cannot be deleted through the API; one of an older installation may be gone.
    await platform.sql.query('UPDATE traffic.models SET deleted_at = 1 WHERE id = $1', [model.id]);
    await expect(world.publish(id)).rejects.toMatchObject({
      status: 422,
      extras: { details: [{ field: 'actions[0].action_config' }, { field: 'model' }] },
    });
    const page = { ...PAGE, agent_id: id };
    const versions = await platform.bus.call(agentVersions.endpoints.listVersions, page, world.caller());
    expect(versions.data).toEqual([]);
  });

  it('are in use while a version names them, which keeps their names beside its snapshot', async () => {
    await world.model('first');
    const { id } = await world.agent({ model: 'first' });
    await world.publish(id);
    await update(id, { model: null });
    const usesOf = async (model_name: string) =>
      (await platform.bus.call(agentLinks.endpoints.countModelUses, { model_name }, world.caller())).agents;
    const store = (models: string | null) =>
      platform.sql.query('UPDATE agents.agent_versions SET models = $2 WHERE agent_id = $1', [id, models]);
    expect([await usesOf('first'), await usesOf('second')]).toEqual([1, 0]);
    await store('["second"]');
    expect([await usesOf('first'), await usesOf('second')]).toEqual([0, 1]);
    // As a version that was published by an earlier release.
    await store(null);
    expect([await usesOf('first'), await usesOf('second')]).toEqual([1, 0]);
  });
});

describe('an agent config', () => {
  it.each([
    [{ temperature: 'hot' }, 'agent_config.temperature'],
    [{ temperature: 3 }, 'agent_config.temperature'],
    [{ max_tokens: 0 }, 'agent_config.max_tokens'],
    [{ steps: [] }, 'agent_config.steps'],
    [{ steps: { think: {} } }, 'agent_config.steps.think'],
    [{ steps: { respond: { prompt: 5 } } }, 'agent_config.steps.respond.prompt'],
    [{ steps: { respond: { tone: 'kind' } } }, 'agent_config.steps.respond.tone'],
  ])('of %j is refused for %s', async (agent_config, field) => {
    const bad = { status: 400, extras: { details: [{ field }] } };
    await expect(world.agent({ agent_config })).rejects.toMatchObject(bad);
    const { id } = await world.agent();
    await expect(update(id, { agent_config })).rejects.toMatchObject(bad);
  });

  it('keeps what it is given, keys of others included', async () => {
    const agent_config = { temperature: 0.5, steps: { respond: { prompt: 'Be kind' } }, team: { name: 'a' } };
    expect((await world.agent({ agent_config })).agent_config).toEqual(agent_config);
  });
});

describe('an agent without an application', () => {
  it('is bound again by an update, once', async () => {
    const { id } = await world.agent();
    const other = await platform.bus.call(
      applications.endpoints.createApplication,
      { application_name: 'Other', state: 'ENABLED', meta: {} },
      world.caller(),
    );
    const immutable = { status: 400, extras: { details: [{ field: 'application_id', message: 'cannot be changed' }] } };
    await expect(update(id, { application_id: other.id })).rejects.toMatchObject(immutable);
    const path = { application_id: world.applicationId, force: true };
    await platform.bus.call(applications.endpoints.deleteApplication, path, world.caller());
    expect(await world.get(id)).toMatchObject({ application_id: null, application_name: null });
    await expect(update(id, { application_id: 2_000_000_000 })).rejects.toMatchObject({
      message: 'application not found',
    });
    await expect(update(id, { application_id: world.applicationId })).rejects.toMatchObject({ status: 404 });
    expect(await update(id, { application_id: other.id, description: 'bound' })).toMatchObject({
      application_id: other.id,
      application_name: 'Other',
      description: 'bound',
    });
    await expect(update(id, { application_id: other.id })).rejects.toMatchObject(immutable);
  });
});

describe('an agent that is deleted', () => {
  it('is kept while other drafts name it; the refusal names them', async () => {
    const [child, one, two] = await Promise.all(
      ['Child', 'One', 'Two'].map((agent_name) => world.agent({ agent_name })),
    );
    for (const parent of [one!, two!])
      await platform.bus.call(
        subAgents.endpoints.addSubAgent,
        { agent_id: parent.id, child_agent_id: child!.id, action_result_type: 'gather_info' },
        world.caller(),
      );
    for (const force of [false, true])
      await expect(drop(child!.id, force)).rejects.toMatchObject({
        status: 409,
        message: expect.stringMatching(
          `agent ${Math.min(one!.id, two!.id)}, agent ${Math.max(one!.id, two!.id)}`,
        ) as string,
      });
  });

  it('is kept while intents name it, which force unbinds', async () => {
    const { id } = await world.agent();
    const bound = (agent_id: number, action_type: string) =>
      platform.bus.call(
        intents.endpoints.createIntent,
        { application_id: world.applicationId, action_type, agent_id },
        world.caller(),
      );
    const first = await bound(id, 'ask');
    const second = await bound(id, 'tell');
    await expect(drop(id)).rejects.toMatchObject({
      status: 409,
      message: `the agent serves 2 intents: ${first.id}, ${second.id}`,
    });
    expect(await drop(id, true)).toEqual({ id, deleted: true });
    const path = { application_id: world.applicationId, intent_id: first.id };
    const intent = await platform.bus.call(intents.endpoints.getIntent, path, world.caller());
    expect(intent.agent_id).toBeNull();
    await expect(drop(id, true)).rejects.toMatchObject({ status: 404 });
  });

  it('says which routes lead to an action or sub-agent that is to be taken away', async () => {
    const { id } = await world.agent();
    const action = await world.action(id, 'a');
    const rule = await platform.bus.call(
      routing.endpoints.createRoutingRule,
      {
        agent_id: id,
        label: 'r',
        conditions: [{ target_type: 'message', operator: 'is_not_null', enabled: true }],
        route: { type: 'action', action_id: action.id },
        enabled: true,
      },
      world.caller(),
    );
    const gone = platform.bus.call(actions.endpoints.deleteAction, { action_id: action.id }, world.caller());
    await expect(gone).rejects.toMatchObject({
      status: 409,
      message: `cannot delete: still the target of routing rule ${rule.id}`,
    });
  });
});

describe('a link to a sub-agent written with latest', () => {
  it('names the version that is the latest then', async () => {
    const parent = await world.agent({ agent_name: 'Parent' });
    const child = await world.agent({ agent_name: 'Child' });
    const link = { agent_id: parent.id, child_agent_id: child.id, action_result_type: 'gather_info' } as const;
    const add = () =>
      platform.bus.call(subAgents.endpoints.addSubAgent, { ...link, version: 'latest' }, world.caller());
    await expect(add()).rejects.toMatchObject({ message: 'version not found' });
    await world.publish(child.id);
    expect(await add()).toMatchObject({ version: '1.0.0' });
    await world.publish(child.id);
    const path = { agent_id: parent.id, child_agent_id: child.id };
    const moved = await platform.bus.call(
      subAgents.endpoints.updateSubAgent,
      { ...path, version: 'latest' },
      world.caller(),
    );
    expect(moved).toMatchObject({ version: '1.1.0', release: null });
  });
});

describe('an action that runs a workflow, written with latest', () => {
  it('names the version that is the latest then', async () => {
    const { id } = await world.agent();
    const { id: workflow_id } = await workflowOf(world, 'flow');
    const latest = { workflow_id, version: 'latest', input_mapping: {} };
    const create = (action_name: string) =>
      world.action(id, action_name, { action_type: 'maitai_workflow', action_config: latest });
    await expect(create('early')).rejects.toMatchObject({ status: 404, message: 'version not found' });
    await publishWorkflow(world, workflow_id);
    const action = await create('run');
    expect(action.action_config).toMatchObject({ workflow_id, version: '1.0.0' });
    await publishWorkflow(world, workflow_id);
    const change = { action_id: action.id, action_config: latest };
    const moved = await platform.bus.call(actions.endpoints.updateAction, change, world.caller());
    expect(moved.action_config).toMatchObject({ version: '1.1.0' });
    expect((await world.get(id)).actions).toMatchObject([{ action_config: { version: '1.1.0' } }]);
  });
});

describe('parts of an agent with a position', () => {
  it('are listed by it unless the query says otherwise', async () => {
    const { id } = await world.agent();
    for (const [field_key, position] of [
      ['b', 0],
      ['a', 0],
      ['c', 2],
    ] as const)
      await platform.bus.call(
        formFields.endpoints.createFormField,
        {
          agent_id: id,
          field_key,
          label: field_key,
          field_type: 'string',
          required: false,
          read_scope: 'all',
          write_scope: 'all',
          position,
        },
        world.caller(),
      );
    const list = async (query: object) => {
      const { listFormFields } = formFields.endpoints;
      const page = await platform.bus.call(listFormFields, { agent_id: id, ...query } as never, world.caller());
      return page.data.map(({ field_key }) => field_key);
    };
    expect(await list({})).toEqual(['a', 'b', 'c']);
    expect(await list({ sort: '-position' })).toEqual(['c', 'b', 'a']);
    expect(await list({ sort: 'id' })).toEqual(['b', 'a', 'c']);
  });
});
