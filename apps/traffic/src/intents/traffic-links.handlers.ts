import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, type Intent, trafficLinks } from '@signalbox/contracts';
import { CallTargetChanges } from '../call-target-changes/index.js';
import { CallTargets } from '../call-targets/index.js';
import { BuiltIns } from '../providers/index.js';
import { Models } from '../models/index.js';
import { Intents } from './intents.repository.js';

type C = typeof trafficLinks;

@Serves(trafficLinks)
export class TrafficLinkHandlers implements Handlers<C> {
  constructor(
    private readonly intents: Intents,
    private readonly models: Models,
    private readonly builtIns: BuiltIns,
    private readonly targets: CallTargets,
    private readonly changes: CallTargetChanges,
  ) {}

  async findUnknownModels({ input, caller }: CallTo<C, 'findUnknownModels'>) {
    await this.builtIns.ensure(caller.companyId);
    return { model_names: await this.models.unknownNames(caller.companyId, input.model_names) };
  }

  async findUncallable({ input, caller }: CallTo<C, 'findUncallable'>) {
    const { application_id: id, model_names: named, with_default } = input;
    const application = id === null ? null : await this.targets.application(caller, id);
    const default_model = with_default ? (application?.model ?? (await this.targets.defaultModel(caller))) : null;
    const names = [...new Set(default_model === null ? named : [...named, default_model])];
    const uncallable = await this.targets.uncallable(caller, names);
    // Unknown and disabled models are distinguished only for a refusal.
    const unknown = uncallable.length > 0 ? await this.models.unknownNames(caller.companyId, uncallable) : [];
    return { default_model, unknown, disabled: uncallable.filter((name) => !unknown.includes(name)) };
  }

  listBoundIntents({ input, caller }: CallTo<C, 'listBoundIntents'>) {
    return this.intents.boundTo(caller.companyId, input.agent_id);
  }

  async getIntentName({ input, caller }: CallTo<C, 'getIntentName'>) {
    const { text } = await this.intents.get(caller.companyId, input.intent_id);
    const { application_id, action_type } = JSON.parse(text) as Intent;
    return { application_id, action_type };
  }

  listWorkflowIntents({ input, caller }: CallTo<C, 'listWorkflowIntents'>) {
    return this.intents.onWorkflow(caller.companyId, input.workflow_ref_name);
  }

  async unbindWorkflow({ input, caller }: CallTo<C, 'unbindWorkflow'>) {
    const intents = await this.intents.offWorkflow(caller, input.workflow_ref_name);
    if (intents > 0) this.changes.changed(caller.companyId);
    return { intents };
  }

  async unbindAgent({ input, caller }: CallTo<C, 'unbindAgent'>) {
    const intents = await this.intents.unbind(caller, input.agent_id);
    if (intents > 0) this.changes.changed(caller.companyId);
    return { intents };
  }
}
