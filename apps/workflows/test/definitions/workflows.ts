import { workflows } from '@signalbox/contracts';
import { ECHO, PAGE, World } from '../world.js';
import { platform, world } from './fixture.js';

const api = workflows.endpoints;

describe('workflows', () => {
  it('are created with their defaults and read by id and by reference name', async () => {
    const created = await world.workflow({ workflow_ref_name: 'greeter', description: 'greets' });
    expect(created).toMatchObject({
      workflow_ref_name: 'greeter',
      workflow_name: 'greeter',
      description: 'greets',
      application_id: null,
      application_name: null,
      language: 'javascript',
      execution_mode: 'sync',
      transform_session: null,
      transform_enabled: false,
      input_schema: null,
      output_schema: null,
      status: 'ENABLED',
      latest_version_number: null,
      has_unpublished_changes: true,
      meta: {},
    });
    expect(created).not.toHaveProperty('script');
    expect(created.script_key).toBe(`${world.companyId}/${created.script_sha256}`);
    expect(await world.get(created.id)).toEqual(created);
    expect(await world.get(created.id, true)).toEqual({ ...created, script: ECHO });
    const byRef = { workflow_ref_name: 'greeter', include_script: true };
    expect(await platform.bus.call(api.getWorkflowByRef, byRef, world.caller())).toEqual({ ...created, script: ECHO });
  });

  it('do not exist for another company', async () => {
    const { id } = await world.workflow({ workflow_ref_name: 'mine' });
    const other = await World.make(platform);
    await expect(other.get(id)).rejects.toMatchObject({ status: 404, message: 'workflow not found' });
    const byRef = { workflow_ref_name: 'mine', include_script: false };
    await expect(platform.bus.call(api.getWorkflowByRef, byRef, other.caller())).rejects.toMatchObject({
      status: 404,
      message: 'workflow not found',
    });
    await other.workflow({ workflow_ref_name: 'mine' });
  });

  it('are listed by application, status, mode, language and text, without their scripts', async () => {
    const one = await world.workflow({ workflow_ref_name: 'apple', application_id: world.applicationId });
    const two = await world.workflow({
      workflow_ref_name: 'berry',
      description: '100% RED',
      status: 'DISABLED',
      execution_mode: 'async',
      language: 'typescript',
      transform_session: 'function transform_session(session) { return session; }',
    });
    const listed = async (change: object) => {
      const page = await platform.bus.call(api.listWorkflows, { ...PAGE, ...change }, world.caller());
      expect(page.pagination.total).toBe(page.data.length);
      for (const workflow of page.data) expect(workflow).not.toHaveProperty('transform_session');
      return page.data.map(({ id }) => id);
    };
    expect(await listed({})).toEqual([two.id, one.id]);
    expect(await listed({ sort: 'workflow_ref_name' })).toEqual([one.id, two.id]);
    expect(await listed({ application_id: world.applicationId })).toEqual([one.id]);
    expect(await listed({ status: ['DISABLED'] })).toEqual([two.id]);
    expect(await listed({ execution_mode: ['async', 'stream'] })).toEqual([two.id]);
    expect(await listed({ language: ['javascript'] })).toEqual([one.id]);
    expect(await listed({ search: '0% red' })).toEqual([two.id]);
  });

  it('have reference names that are unique among those that exist, also when created at once', async () => {
    const create = () => world.workflow({ workflow_ref_name: 'same' });
    const results = await Promise.allSettled(Array.from({ length: 6 }, create));
    const created = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(created).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ status: 409, message: 'workflow_ref_name is taken' });
    await platform.bus.call(api.deleteWorkflow, { workflow_id: created[0]!.id }, world.caller());
    await expect(world.get(created[0]!.id)).rejects.toMatchObject({ status: 404 });
    await create();
  });

  it('change field by field, and null clears', async () => {
    const { id } = await world.workflow({ input_schema: { type: 'object' } });
    const changed = await world.change(id, {
      description: 'new',
      execution_mode: 'stream',
      timeout_seconds: 5,
      memory_mb: 32,
      input_schema: null,
      output_schema: { type: 'string' },
      meta: { owner: 'me' },
    });
    expect(changed).toMatchObject({
      description: 'new',
      execution_mode: 'stream',
      timeout_seconds: 5,
      memory_mb: 32,
      input_schema: null,
      output_schema: { type: 'string' },
      meta: { owner: 'me' },
    });
    const before = await world.get(id);
    expect(await world.change(id, {})).toEqual(before);
  });

  it('emit an event and an audit entry for each change', async () => {
    const { id } = await world.workflow();
    await world.change(id, { description: 'new' });
    const path = { workflow_id: id };
    const disabled = await platform.bus.call(api.disableWorkflow, path, world.caller());
    expect(disabled.status).toBe('DISABLED');
    await platform.bus.call(api.disableWorkflow, path, world.caller());
    await platform.bus.call(api.enableWorkflow, path, world.caller());
    await world.publish(id);
    await world.release(id, 'stable', '1.0.0');
    await platform.bus.call(api.deleteWorkflow, path, world.caller());
    expect(await world.events(id)).toEqual([
      'workflow.created',
      'workflow.updated',
      'workflow.disabled',
      'workflow.enabled',
      'workflow.version_published',
      'workflow.release_moved',
      'workflow.deleted',
    ]);
    expect(await world.audits(id)).toEqual(['create', 'update', 'disable', 'enable', 'publish', 'delete']);
  });
});
