import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import {
  agentLinks,
  type Caller,
  conflict,
  type Deleted,
  emits,
  monitorLinks,
  trafficLinks,
  watchedConflict,
  type Workflow,
} from '@signalbox/contracts';
import { Artifacts } from '../artifacts/index.js';
import { RunCancellations } from '../runs/index.js';
import { NestedRefs, Workflows } from '../drafts/index.js';

/**
 * Also deletes its files and cancels open runs. Throws 409 while the draft of another workflow, an action of an agent,
 * an intent or a monitor, as target or runner, names the workflow. `force` unbinds intents, and the event of the deletion
 * detaches monitors. What names the workflow between check and deletion keeps the name of a deleted workflow.
 */
@Injectable()
export class WorkflowDeletion {
  constructor(
    private readonly workflows: Workflows,
    private readonly refs: NestedRefs,
    private readonly bus: BusClient,
    private readonly runs: RunCancellations,
    private readonly artifacts: Artifacts,
  ) {}

  async delete(caller: Caller, workflowId: number, force: boolean): Promise<Deleted> {
    const { text } = await this.workflows.get(caller.companyId, workflowId);
    const { workflow_ref_name } = JSON.parse(text) as Workflow;
    await this.requireNoParents(workflowId, caller);
    await this.requireNoActions(workflowId, caller);
    await this.requireNoRunners(workflowId, caller);
    if (force) await this.bus.call(trafficLinks.endpoints.unbindWorkflow, { workflow_ref_name }, caller);
    else {
      await this.requireNoIntents(workflow_ref_name, caller);
      await this.requireNoMonitors(workflowId, caller);
    }
    const rule = () => ({ events: [emits('workflow.deleted')] });
    return this.workflows.remove(caller, workflowId, rule, (tx, { id }) => {
      this.runs.ofWorkflow(tx, id);
      return this.artifacts.deleteOfWorkflow(tx, id);
    });
  }

  private async requireNoParents(workflowId: number, { companyId }: Caller): Promise<void> {
    const parents = await this.refs.parentsOf(companyId, workflowId);
    if (parents.length === 0) return;
    throw conflict(
      `the workflow is a child of workflows ${parents.map(({ id }) => id).join(', ')}`,
      parents.map(({ id, workflow_ref_name }) => ({
        field: 'inproc_nested_refs',
        message: `workflow ${id} (${workflow_ref_name}) names it`,
      })),
    );
  }

  private async requireNoActions(workflow_id: number, caller: Caller): Promise<void> {
    const { agent_ids, total } = await this.bus.call(agentLinks.endpoints.findWorkflowUses, { workflow_id }, caller);
    if (total === 0) return;
    throw conflict(
      `actions of ${total} agents run the workflow: ${agent_ids.join(', ')}${total > agent_ids.length ? ' and more' : ''}`,
      agent_ids.map((id) => ({ field: 'agent_id', message: `an action of agent ${id} runs the workflow` })),
    );
  }

  private async requireNoMonitors(target_id: number, caller: Caller): Promise<void> {
    const input = { target_type: 'workflow', target_id } as const;
    const watching = await this.bus.call(monitorLinks.endpoints.listWatchingMonitors, input, caller);
    if (watching.total > 0) throw watchedConflict('workflow', watching);
  }

  private async requireNoRunners(workflow_id: number, caller: Caller): Promise<void> {
    const { listRunningMonitors } = monitorLinks.endpoints;
    const { monitor_ids, total } = await this.bus.call(listRunningMonitors, { workflow_id }, caller);
    if (total === 0) return;
    throw conflict(
      `the drafts of ${total} monitors run the workflow: ${monitor_ids.join(', ')}${total > monitor_ids.length ? ' and more' : ''}`,
      monitor_ids.map((id) => ({ field: 'monitor_id', message: `monitor ${id} runs the workflow` })),
    );
  }

  private async requireNoIntents(workflow_ref_name: string, caller: Caller): Promise<void> {
    const { listWorkflowIntents } = trafficLinks.endpoints;
    const { intents, total } = await this.bus.call(listWorkflowIntents, { workflow_ref_name }, caller);
    if (total === 0) return;
    throw conflict(
      `the workflow serves ${total} intents: ${intents.map(({ id }) => id).join(', ')}${total > intents.length ? ' and more' : ''}`,
      intents.map(({ id, application_id }) => ({
        field: 'intent_id',
        message: `intent ${id} of application ${application_id} names the workflow as its model`,
      })),
    );
  }
}
