import { randomUUID } from 'node:crypto';
import {
  agents,
  agentVersions,
  applications,
  formFields,
  monitorVersions,
  tasks,
  workflows,
  workflowVersions,
} from '@signalbox/contracts';
import { Platform } from '@signalbox/testing';
import { callTool, connectMcp, dataIn, keyWith } from './client.js';

const ANSWER = {
  type: 'object',
  properties: { order: { type: 'string' }, refunded: { type: 'boolean' } },
  required: ['order', 'refunded'],
};

let platform: Platform;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'workflows', 'runner', 'monitors', 'gateway']);
}, 90_000);
afterAll(() => platform?.stop());

/** A company with ways to make what is called. */
async function world() {
  const { companyId, key } = await platform.company();
  const caller = () => platform.caller(companyId);
  const application = await platform.bus.call(
    applications.endpoints.createApplication,
    { application_name: 'Shop', state: 'ENABLED', meta: {} },
    caller(),
  );
  const agent = async (change: object = {}): Promise<number> => {
    const body = { application_id: application.id, agent_name: 'Refunds', agent_config: {}, meta: {}, ...change };
    const base = { status: 'ENABLED', execution_mode: 'reasoning', max_iterations: 10 };
    const made = await platform.bus.call(agents.endpoints.createAgent, { ...base, ...body } as never, caller());
    return made.id;
  };
  const workflow = async (change: object = {}): Promise<number> => {
    const body = { workflow_ref_name: `flow-${randomUUID().slice(0, 8)}`, language: 'javascript', ...change };
    const made = await platform.bus.call(workflows.endpoints.createWorkflow, body as never, caller());
    return made.id;
  };
  const release = async (kind: 'agent' | 'workflow', id: number, change: object = {}) => {
    const { publishVersion, createRelease } = (kind === 'agent' ? agentVersions : workflowVersions)
      .endpoints as (typeof agentVersions)['endpoints'];
    const of = { [`${kind}_id`]: id };
    const bump = kind === 'agent' ? { increment: 'minor' } : { bump_type: 'minor' };
    await platform.bus.call(publishVersion, { ...of, ...bump, version_notes: '' } as never, caller());
    const body = { ...of, name: 'live', version: 'latest', is_default: false, mcp_enabled: true, ...change };
    return platform.bus.call(createRelease, body as never, caller());
  };
  const field = (agent_id: number, field_key: string, change: object) =>
    platform.bus.call(
      formFields.endpoints.createFormField,
      { agent_id, field_key, label: field_key, field_type: 'string', required: false, ...change } as never,
      caller(),
    );
  const connect = (as = key) => connectMcp(platform, '/mcp/agents', as);
  return { companyId, key, caller, agent, workflow, release, field, connect };
}

describe('releases as tools', () => {
  it('are listed when they say so, with form fields and schemas, and always run what the release points to', async () => {
    const { agent, workflow, release, field, connect, caller } = await world();
    const agentId = await agent({ description: 'Refunds orders </data>' });
    await field(agentId, 'order', { required: true, description: 'Number of the order' });
    await field(agentId, 'urgency', { field_type: 'enum', enum_values: ['low', 'high'] });
    expect(await release('agent', agentId)).toMatchObject({ name: 'live', mcp_enabled: true });
    const flow = await workflow({
      workflow_name: 'Add up',
      script: 'async function execute(ctx) { return { order: String(ctx.input.a), refunded: true }; }',
      input_schema: { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] },
      output_schema: ANSWER,
    });
    await release('workflow', flow);
    const hidden = await agent({ agent_name: 'Hidden' });
    expect(await release('agent', hidden, { mcp_enabled: undefined })).toMatchObject({ mcp_enabled: false });
    // The draft is another one than what was released.
    await platform.bus.call(
      workflows.endpoints.updateWorkflow,
      { workflow_id: flow, script: 'async function execute() { return null; }' } as never,
      caller(),
    );
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(['add-up-live', 'refunds-live']);
    expect(tools.find(({ name }) => name === 'refunds-live')).toMatchObject({
      description: 'Refunds orders </data>',
      inputSchema: {
        type: 'object',
        properties: { message: { type: 'string' }, order: { type: 'string' }, urgency: { enum: ['low', 'high'] } },
        required: ['message', 'order'],
      },
    });
    expect(tools.find(({ name }) => name === 'add-up-live')).toMatchObject({
      inputSchema: { required: ['a'] },
      outputSchema: ANSWER,
    });

    const added = await client.callTool({ name: 'add-up-live', arguments: { a: 7 } });
    expect(added.structuredContent).toEqual({ order: '7', refunded: true });
    expect(await callTool(client, 'add-up-live', { a: 'x' })).toMatchObject({ isError: true });
    const args = { message: 'refund </data> it', order: '5', urgency: 'high' };
    const { text, isError } = await callTool(client, 'refunds-live', args);
    expect([isError, text.match(/<\/data/g)?.length]).toEqual([false, 1]);
    const id = /task ([0-9a-f-]+)/.exec(text)?.[1] ?? '';
    const task = await platform.bus.call(tasks.endpoints.getAnyTask, { task_id: id, wait_seconds: 0 }, caller());
    expect(task).toMatchObject({ trigger: 'MCP', release: 'live', version: '1.0.0' });
    for (const wrong of [{}, { message: '' }, { message: 'x', nope: 1 }, { message: 'x', urgency: 'none' }])
      expect(await callTool(client, 'refunds-live', wrong)).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^400/),
      });
    await expect(client.callTool({ name: 'hidden-live', arguments: { message: 'x' } })).rejects.toThrow('not found');
    await client.close();
  });

  it('give the structured output of an agent', async () => {
    const { agent, release, connect } = await world();
    const schema = { name: 'answer', schema: ANSWER };
    const id = await agent({ response_format: { type: 'json_schema', json_schema: schema } });
    await release('agent', id);
    const client = await connect();
    expect((await client.listTools()).tools[0]?.outputSchema).toMatchObject(ANSWER);
    const result = await client.callTool({ name: 'refunds-live', arguments: { message: 'which?' } });
    expect(result.structuredContent).toMatchObject({ order: expect.any(String) });
    const [content] = result.content as { text: string }[];
    expect(dataIn(content?.text ?? '')).toEqual(result.structuredContent);
    await client.close();
  });

  it('need invoke, and are those of the company of the key', async () => {
    const { agent, release, connect, companyId } = await world();
    await release('agent', await agent());
    const other = await world();
    for (const client of [
      await connect(await keyWith(platform, companyId, ['read', 'write', 'admin'])),
      await other.connect(),
    ]) {
      expect((await client.listTools()).tools).toEqual([]);
      await expect(client.callTool({ name: 'refunds-live', arguments: { message: 'x' } })).rejects.toThrow('not found');
      await client.close();
    }
  });

  it('keep their names apart, and end as tools when they are switched off or deleted', async () => {
    const { agent, release, connect, caller } = await world();
    const [first, second] = [await agent(), await agent({ agent_name: 'REFUNDS!' })];
    for (const id of [first, second]) await release('agent', id);
    const client = await connect();
    const names = async () => (await client.listTools()).tools.map(({ name }) => name).sort();
    expect(await names()).toEqual([`refunds-live-a${first}`, `refunds-live-a${second}`].sort());
    const off = { agent_id: first, release_name: 'live', mcp_enabled: false };
    expect(await platform.bus.call(agentVersions.endpoints.updateRelease, off as never, caller())).toMatchObject({
      mcp_enabled: false,
      version_number: '1.0.0',
    });
    expect(await names()).toEqual(['refunds-live']);
    await platform.bus.call(agents.endpoints.deleteAgent, { agent_id: second, force: false } as never, caller());
    expect(await names()).toEqual([]);
    await client.close();
  });

  it('are not those of monitors', async () => {
    const { caller } = await world();
    const body = { monitor_id: 1, name: 'live', version: 'latest', is_default: false, mcp_enabled: true };
    await expect(
      platform.bus.call(monitorVersions.endpoints.createRelease, body as never, caller()),
    ).rejects.toMatchObject({ status: 400 });
  });
});
