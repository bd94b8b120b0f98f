import { Injectable } from '@nestjs/common';
import { type Caller, conflict, type Deleted, emits } from '@signalbox/contracts';
import { NestedRefs } from './nested-refs.repository.js';
import { Workflows } from './workflows.repository.js';

/** Deletes workflows. 409 while another workflow's draft names the workflow as a child. */
@Injectable()
export class WorkflowDeletion {
  constructor(
    private readonly workflows: Workflows,
    private readonly refs: NestedRefs,
  ) {}

  async delete(caller: Caller, workflowId: number, _force: boolean): Promise<Deleted> {
    await this.workflows.get(caller.companyId, workflowId);
    const parents = await this.refs.parentsOf(caller.companyId, workflowId);
    if (parents.length > 0)
      throw conflict(
        `the workflow is a child of workflows ${parents.map(({ id }) => id).join(', ')}`,
        parents.map(({ id, workflow_ref_name }) => ({
          field: 'inproc_nested_refs',
          message: `workflow ${id} (${workflow_ref_name}) names it`,
        })),
      );
    return this.workflows.remove(caller, workflowId, () => ({ events: [emits('workflow.deleted')] }));
  }
}
