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

/** The workflow of a config; null for actions that run none. */
export const workflowOf = (type: string, config: Config | undefined): WorkflowActionConfig | null =>
  type === 'maitai_workflow' && config ? (config as unknown as WorkflowActionConfig) : null;

/** Looks up the workflows that actions run. */
@Injectable()
export class ActionWorkflows {
  constructor(private readonly bus: BusClient) {}

  /**
   * The config with the number of the version that is the latest now, where it names `latest`; 404 when its workflow,
   * version or release does not exist in the company.
   */
  async pinned<C extends Config | undefined>(type: string, config: C, caller: Caller): Promise<C> {
    const workflow = workflowOf(type, config);
    if (!workflow) return config;
    const { version } = await this.resolve(workflow, caller);
    return workflow.version === 'latest' ? { ...config, version } : config;
  }

  /**
   * The latest versions of the workflows that actions name without version or release, by their ids; 409 for a workflow
   * without a published version.
   */
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
