import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import {
  type AgentAction,
  type Caller,
  conflict,
  type WorkflowActionConfig,
  workflowLinks,
  type WorkflowTarget,
} from '@signalbox/contracts';

type Config = AgentAction['action_config'];

export const workflowOf = (type: string, config: Config | undefined): WorkflowActionConfig | null =>
  type === 'maitai_workflow' && config ? (config as unknown as WorkflowActionConfig) : null;

@Injectable()
export class ActionWorkflows {
  constructor(private readonly bus: BusClient) {}

  /** Replaces `latest` by the number of that version; 404 for an unknown workflow, version or release. */
  async pinned<C extends Config | undefined>(type: string, config: C, caller: Caller): Promise<C> {
    const workflow = workflowOf(type, config);
    if (!workflow) return config;
    const { version } = await this.resolve(workflow, caller);
    return workflow.version === 'latest' ? { ...config, version } : config;
  }

  /** By workflow id, for actions without version and release; 409 for a workflow that was never published. */
  async latest(actions: readonly Pick<AgentAction, 'action_type' | 'action_config'>[], caller: Caller) {
    const found = new Map<number, string>();
    for (const { action_type, action_config } of actions) {
      const workflow = workflowOf(action_type, action_config);
      if (!workflow || workflow.version || workflow.release || found.has(workflow.workflow_id)) continue;
      const { workflow_ref_name, latest_version_number } = await this.resolve(workflow, caller);
      if (latest_version_number === null) throw conflict(`workflow ${workflow_ref_name} has no published version`);
      found.set(workflow.workflow_id, latest_version_number);
    }
    return found;
  }

  private resolve({ workflow_id, version, release }: WorkflowActionConfig, caller: Caller): Promise<WorkflowTarget> {
    const pin = version ? { version } : release ? { release } : {};
    return this.bus.call(workflowLinks.endpoints.resolveWorkflow, { workflow_id, ...pin }, caller);
  }
}
