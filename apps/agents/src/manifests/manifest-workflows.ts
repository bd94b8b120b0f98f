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

/** The same id may be that of another workflow in this installation. */
const NO_NAME = ['workflow_id', 'a manifest refers to a workflow by its reference name, in workflow'] as const;

type Action = NonNullable<ManifestAgent['actions']>[number];
type Config = Record<string, unknown>;

/** An agent refers to workflows by id, a manifest by reference name: ids differ between installations. */
@Injectable()
export class ManifestWorkflows {
  constructor(private readonly bus: BusClient) {}

  /** An action whose workflow no longer exists gets no configuration. */
  named(agents: readonly ManifestAgent[], caller: Caller): Promise<ManifestAgent[]> {
    const targets = new Targets(this.bus, caller);
    return eachConfig(agents, [], async ({ workflow_id, ...config }) => {
      const target = await targets.find({ workflow_id: Number(workflow_id) });
      return target && { workflow: target.workflow_ref_name, ...config };
    });
  }

  /** `latest` becomes its number; an unknown workflow, version or release is left out, with a warning. */
  resolved(agents: readonly ManifestAgent[], warnings: ImportWarning[], caller: Caller): Promise<ManifestAgent[]> {
    const targets = new Targets(this.bus, caller);
    return eachConfig(agents, warnings, async ({ workflow, ...config }, path, warn) => {
      // Anything else is refused as an unknown field.
      if (workflow !== undefined && typeof workflow !== 'string') return { workflow, ...config };
      const target = workflow === undefined ? null : await targets.find({ workflow_ref_name: workflow });
      if (!target) {
        const [field, why] = workflow === undefined ? NO_NAME : ['workflow', `workflow ${workflow} does not exist`];
        warn({ path: `${path}.${field}`, message: `${why}: the action has no configuration` });
        return null;
      }
      const { workflow_ref_name, id: workflow_id } = target;
      const kept: Config = { workflow_id, ...config };
      for (const pin of ['version', 'release'] as const) {
        const value = config[pin];
        if (typeof value !== 'string') continue;
        const pinned = await targets.find({ workflow_id, [pin]: value });
        if (!pinned) warn({ path: `${path}.${pin}`, message: `workflow ${workflow_ref_name} has no ${pin} ${value}` });
        kept[pin] = pinned && pinned[pin];
      }
      return kept;
    });
  }
}

type Reference = InputOf<typeof resolveWorkflow>;

class Targets {
  private readonly known = new Map<string, Promise<WorkflowTarget | null>>();

  constructor(
    private readonly bus: BusClient,
    private readonly caller: Caller,
  ) {}

  /** Null when any part of the reference does not exist. */
  find(reference: Reference): Promise<WorkflowTarget | null> {
    const key = JSON.stringify(reference);
    const known = this.known.get(key) ?? this.read(reference);
    this.known.set(key, known);
    return known;
  }

  private async read(reference: Reference): Promise<WorkflowTarget | null> {
    try {
      return await this.bus.call(resolveWorkflow, reference, this.caller);
    } catch (error) {
      if (error instanceof ApiError && (error.kind === 'not_found' || error.kind === 'invalid')) return null;
      throw error;
    }
  }
}

type Replace = (config: Config, path: string, warn: (warning: ImportWarning) => void) => Promise<Config | null>;

const AT_ONCE = 16;

/** Replaces the configurations of actions that run workflows; `warnings` are in the order of the actions. */
async function eachConfig(
  agents: readonly ManifestAgent[],
  warnings: ImportWarning[],
  replace: Replace,
): Promise<ManifestAgent[]> {
  const places = agents.flatMap((agent, at) =>
    (agent.actions ?? []).flatMap((action, index) =>
      action.action_type === 'maitai_workflow' && action.action_config != null
        ? [{ action, path: `agents[${at}].actions[${index}].action_config` }]
        : [],
    ),
  );
  const replaced = new Map<Action, Config | null>();
  for (let from = 0; from < places.length; from += AT_ONCE) {
    const group = places.slice(from, from + AT_ONCE).map(async ({ action, path }) => {
      const own: ImportWarning[] = [];
      const config = await replace(action.action_config as Config, path, (warning) => own.push(warning));
      return { action, config, own };
    });
    for (const { action, config, own } of await Promise.all(group)) {
      replaced.set(action, config);
      warnings.push(...own);
    }
  }
  const withConfig = (action: Action): Action => {
    const config = replaced.get(action);
    return config === undefined ? action : { ...action, action_config: config };
  };
  return agents.map((agent) => (agent.actions ? { ...agent, actions: agent.actions.map(withConfig) } : agent));
}
