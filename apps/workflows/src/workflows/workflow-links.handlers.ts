import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, notFound, type Workflow, workflowLinks } from '@signalbox/contracts';
import { WorkflowReleases, WorkflowVersions } from '../versions/index.js';
import { Workflows } from '../drafts/index.js';

type C = typeof workflowLinks;

@Serves(workflowLinks)
export class WorkflowLinkHandlers implements Handlers<C> {
  constructor(
    private readonly workflows: Workflows,
    private readonly versions: WorkflowVersions,
    private readonly releases: WorkflowReleases,
  ) {}

  listGatedReleases({ input, caller }: CallTo<C, 'listGatedReleases'>) {
    return this.releases.listGated(caller.companyId, input.test_set_id);
  }

  async resolveWorkflow({ input, caller }: CallTo<C, 'resolveWorkflow'>) {
    const { companyId } = caller;
    const { workflow_ref_name = '', workflow_id = await this.workflows.findId(companyId, workflow_ref_name) } = input;
    if (workflow_id === null) throw notFound('workflow');
    const workflow = JSON.parse((await this.workflows.get(companyId, workflow_id)).text) as Workflow;
    const { version, release, snapshot } = await this.versions.resolve(companyId, workflow_id, input);
    const { workflow_name, description, input_schema, output_schema } = snapshot;
    const { id, status, application_id, latest_version_number } = workflow;
    return {
      id,
      workflow_ref_name: workflow.workflow_ref_name,
      workflow_name,
      description,
      status,
      application_id,
      latest_version_number,
      version,
      release,
      input_schema,
      output_schema,
    };
  }

  listReleases({ input: { parent_id, ...query }, caller }: CallTo<C, 'listReleases'>) {
    const filters = parent_id === undefined ? [] : [{ sql: 't.workflow_id = ?', value: parent_id }];
    return this.releases.listFamily(caller.companyId, { ...query, filters });
  }

  async unbindApplication({ input, caller }: CallTo<C, 'unbindApplication'>) {
    return { workflows: await this.workflows.unbind(caller, input.application_id) };
  }
}
