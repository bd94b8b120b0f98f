import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import {
  ApiError,
  type Caller,
  type ImportWarning,
  type InputOf,
  type ManifestAgent,
  workflowLinks,
  type WorkflowTarget,
} from '@signalbox/contracts';

const { resolveWorkflow } = workflowLinks.endpoints;

/** An id of the installation that a manifest comes from may be that of another workflow here. */
const NO_NAME = ['workflow_id', 'a manifest refers to a workflow by its reference name, in workflow'] as const;

type Action = NonNullable<ManifestAgent['actions']>[number];
type Config = Record<string, unknown>;

/**
 * The workflows that the actions of manifests run: by id in an agent, by reference name in a manifest, since ids differ
 * from one installation to the next.
 */
@Injectable()
export class ManifestWorkflows {
  constructor(private readonly bus: BusClient) {}

  /** Replaces ids by names; an action whose workflow does not exist any more has no configuration. */
  named(agents: readonly ManifestAgent[], caller: Caller): Promise<ManifestAgent[]> {
    return eachConfig(agents, async ({ workflow_id, ...config }) => {
      const target = await this.find({ workflow_id: Number(workflow_id) }, caller);
      return target && { workflow: target.workflow_ref_name, ...config };
    });
  }

  /** Replaces names by ids; an unknown workflow, version or release is left out, with a warning. */
  resolved(agents: readonly ManifestAgent[], warnings: ImportWarning[], caller: Caller): Promise<ManifestAgent[]> {
    return eachConfig(agents, async ({ workflow, ...config }, path) => {
      // Anything else is refused as an unknown field.
      if (workflow !== undefined && typeof workflow !== 'string') return { workflow, ...config };
      const target = workflow === undefined ? null : await this.find({ workflow_ref_name: workflow }, caller);
      if (!target) {
        const [field, why] = workflow === undefined ? NO_NAME : ['workflow', `workflow ${workflow} does not exist`];
        warnings.push({ path: `${path}.${field}`, message: `${why}: the action has no configuration` });
        return null;
      }
      const { workflow_ref_name, id: workflow_id } = target;
      const kept: Config = { workflow_id, ...config };
      for (const pin of ['version', 'release'] as const) {
        const value = config[pin];
        if (typeof value !== 'string' || (await this.find({ workflow_id, [pin]: value }, caller))) continue;
        warnings.push({ path: `${path}.${pin}`, message: `workflow ${workflow_ref_name} has no ${pin} ${value}` });
        kept[pin] = null;
      }
      return kept;
    });
  }

  /** The target of a reference; null when any part of it does not exist. */
  private async find(reference: InputOf<typeof resolveWorkflow>, caller: Caller): Promise<WorkflowTarget | null> {
    try {
      return await this.bus.call(resolveWorkflow, reference, caller);
    } catch (error) {
      if (error instanceof ApiError && (error.kind === 'not_found' || error.kind === 'invalid')) return null;
      throw error;
    }
  }
}

/** The agents with the configurations of their actions that run workflows replaced. */
async function eachConfig(
  agents: readonly ManifestAgent[],
  replace: (config: Config, path: string) => Promise<Config | null>,
): Promise<ManifestAgent[]> {
  const replaced: ManifestAgent[] = [];
  for (const [at, agent] of agents.entries()) {
    const actions: Action[] = [];
    for (const [index, action] of (agent.actions ?? []).entries()) {
      const { action_type, action_config } = action;
      if (action_type !== 'maitai_workflow' || action_config == null) actions.push(action);
      else {
        const path = `agents[${at}].actions[${index}].action_config`;
        actions.push({ ...action, action_config: await replace(action_config as Config, path) });
      }
    }
    replaced.push(agent.actions ? { ...agent, actions } : agent);
  }
  return replaced;
}
