import { applications, workflows } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { PAGE, World } from '../world.js';
import { platform, world } from './fixture.js';

const api = applications.endpoints;
const named = async (search: string) =>
  (await platform.bus.call(api.listApplications, { ...PAGE, search }, world.caller())).data;

describe('the application of a workflow', () => {
  it('is bound by id or by name, and null unbinds', async () => {
    const { id, ...bound } = await world.workflow({ application_id: world.applicationId });
    expect(bound).toMatchObject({ application_id: world.applicationId, application_name: 'Shop' });
    expect(await world.change(id, { application_id: null })).toMatchObject({
      application_id: null,
      application_name: null,
    });
    expect(await world.change(id, { application_name: 'Shop' })).toMatchObject({ application_id: world.applicationId });
    expect(await world.change(id, { application_name: null })).toMatchObject({ application_id: null });
    expect(await world.change(id, { description: 'x' })).toMatchObject({ application_id: null });
  });

  it('is created when no application has the name, once for writes at the same time', async () => {
    const writes = await Promise.all([1, 2, 3].map(() => world.workflow({ application_name: 'Brand New' })));
    const created = await named('Brand New');
    expect(created).toMatchObject([{ application_name: 'Brand New', application_ref_name: 'brand-new' }]);
    for (const { application_id } of writes) expect(application_id).toBe(created[0]!.id);
  });

  it('is not created for a workflow that is refused', async () => {
    await expect(world.workflow({ application_name: 'Never', script: 'const x = 1;' })).rejects.toMatchObject({
      status: 422,
    });
    expect(await named('Never')).toEqual([]);
  });

  it('belongs to the same company', async () => {
    const other = await World.make(platform);
    for (const application_id of [other.applicationId, 2_000_000_000])
      await expect(world.workflow({ application_id })).rejects.toMatchObject({
        status: 404,
        message: 'application not found',
      });
  });

  it('may be deleted only by force, which unbinds the workflow at once', async () => {
    const { id } = await world.workflow({ application_id: world.applicationId });
    const path = { application_id: world.applicationId };
    await expect(platform.bus.call(api.deleteApplication, path, world.caller())).rejects.toMatchObject({
      status: 409,
      message: `application ${world.applicationId} has 1 workflows`,
    });
    await platform.bus.call(api.deleteApplication, { ...path, force: true }, world.caller());
    expect(await world.get(id)).toMatchObject({ application_id: null, application_name: null });
    await expect(world.change(id, path)).rejects.toMatchObject({ status: 404 });
  });

  it('has its new name in the workflow soon after it was renamed', async () => {
    const { id } = await world.workflow({ application_id: world.applicationId });
    const change = { application_id: world.applicationId, application_name: 'Renamed' };
    await platform.bus.call(api.updateApplication, change, world.caller());
    await eventually('the workflow has the new name', async () => {
      const read = { workflow_id: id, include_script: false };
      const { application_name } = await platform.bus.call(workflows.endpoints.getWorkflow, read, world.caller());
      return application_name === 'Renamed';
    });
  });
});
