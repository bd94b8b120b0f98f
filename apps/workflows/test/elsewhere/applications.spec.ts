import { applicationWorkflows } from '@signalbox/contracts';
import { PAGE } from '../world.js';
import { bus, caller, company } from './fixture.js';

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
