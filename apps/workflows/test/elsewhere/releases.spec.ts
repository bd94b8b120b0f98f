import { releases, testSets, workflowVersions } from '@signalbox/contracts';
import { PAGE } from '../world.js';
import { bus, caller, company } from './fixture.js';

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
