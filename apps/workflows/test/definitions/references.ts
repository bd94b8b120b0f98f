import { workflowLinks, workflows, workflowVersions } from '@signalbox/contracts';
import { PAGE, World } from '../world.js';
import { platform, world } from './fixture.js';

const remove = (workflow_id: number) =>
  platform.bus.call(workflows.endpoints.deleteWorkflow, { workflow_id }, world.caller());

describe('the children of a workflow', () => {
  it('exist, with their version or release, in the same company', async () => {
    const child = await world.workflow({ workflow_ref_name: 'child' });
    await world.publish(child.id);
    await world.release(child.id, 'stable', '1.0.0');
    const refs = ['child', 'child@1.0.0', 'child@stable', 'child@latest'];
    expect((await world.workflow({ inproc_nested_refs: refs })).inproc_nested_refs).toEqual(refs);
    const other = await World.make(platform);
    await expect(other.workflow({ inproc_nested_refs: ['child'] })).rejects.toMatchObject({ status: 404 });
    await expect(world.workflow({ inproc_nested_refs: ['child', 'child@2.0.0', 'none'] })).rejects.toMatchObject({
      status: 404,
      message: 'workflow not found',
      extras: { details: [{ field: 'inproc_nested_refs[1]' }, { field: 'inproc_nested_refs[2]' }] },
    });
  });

  it('are not deleted while a draft names them', async () => {
    const child = await world.workflow({ workflow_ref_name: 'child' });
    const parent = await world.workflow({ inproc_nested_refs: ['child'] });
    await expect(remove(child.id)).rejects.toMatchObject({
      status: 409,
      message: `the workflow is a child of workflows ${parent.id}`,
    });
    await world.change(parent.id, { inproc_nested_refs: [] });
    await remove(child.id);
  });

  it('that are named without a number are frozen by a publish, which needs their version', async () => {
    const child = await world.workflow({ workflow_ref_name: 'child' });
    const parent = await world.workflow({ inproc_nested_refs: ['child'] });
    await expect(world.publish(parent.id)).rejects.toMatchObject({
      status: 409,
      message: 'workflow child has no published version',
    });
    await world.publish(child.id);
    await world.change(parent.id, { inproc_nested_refs: ['child', 'child@latest'] });
    await world.publish(parent.id);
    const path = { workflow_id: parent.id, version: 'latest', include_snapshot: true };
    const version = await platform.bus.call(workflowVersions.endpoints.getVersion, path, world.caller());
    expect(version.snapshot).toMatchObject({
      inproc_nested_refs: ['child', 'child@latest'],
      frozen_refs: { child: '1.0.0', 'child@latest': '1.0.0' },
    });
    const diff = { workflow_id: parent.id, from: '1.0.0', to: 'draft' };
    expect(await platform.bus.call(workflowVersions.endpoints.diffVersions, diff, world.caller())).toMatchObject({
      has_changes: false,
    });
  });
});

describe('the reference of another service', () => {
  it('resolves to the workflow and the definition that a call runs', async () => {
    const { id } = await world.workflow({ workflow_ref_name: 'flow', input_schema: { type: 'string' } });
    await world.publish(id);
    await world.change(id, { input_schema: { type: 'number' } });
    const resolve = (input: object) =>
      platform.bus.call(workflowLinks.endpoints.resolveWorkflow, input, world.caller());
    expect(await resolve({ workflow_id: id })).toMatchObject({
      id,
      workflow_ref_name: 'flow',
      version: null,
      latest_version_number: '1.0.0',
      input_schema: { type: 'number' },
    });
    expect(await resolve({ workflow_ref_name: 'flow', version: 'latest' })).toMatchObject({
      version: '1.0.0',
      input_schema: { type: 'string' },
    });
    for (const input of [{ workflow_id: 2_000_000_000 }, { workflow_ref_name: 'none' }, {}])
      await expect(resolve(input)).rejects.toMatchObject({ status: 404, message: 'workflow not found' });
    await expect(resolve({ workflow_id: id, release: 'none' })).rejects.toMatchObject({ message: 'release not found' });
  });
});

describe('lists', () => {
  it('refuse a sort that they do not offer', async () => {
    await expect(
      platform.bus.call(workflows.endpoints.listWorkflows, { ...PAGE, sort: 'script' }, world.caller()),
    ).rejects.toMatchObject({ status: 400 });
  });
});
