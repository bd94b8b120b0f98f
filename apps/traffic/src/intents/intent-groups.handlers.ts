import { BusClient, Serves } from '@signalbox/bus';
import { type Batch, type CallTo, type Handlers, intentGroups, trainingLinks } from '@signalbox/contracts';
import { CallTargetChanges } from '../call-target-changes/index.js';
import { Configs } from '../config/index.js';
import { groupUseConflict } from './group-uses.js';
import { Intents } from './intents.repository.js';
import { Models, usedBy } from '../models/index.js';
import { conditionsOf } from '../request-records/index.js';
import { RequestReader } from '../request-reads/index.js';
import { IntentGroups, newIntentGroup, updateIntentGroup } from '../intent-groups/index.js';

type C = typeof intentGroups;

/** Counts include the calls that were answered before the read. */
@Serves(intentGroups)
export class IntentGroupHandlers implements Handlers<C> {
  constructor(
    private readonly groups: IntentGroups,
    private readonly intents: Intents,
    private readonly configs: Configs,
    private readonly models: Models,
    private readonly requests: RequestReader,
    private readonly changes: CallTargetChanges,
    private readonly bus: BusClient,
  ) {}

  async listIntentGroups({ input, caller }: CallTo<C, 'listIntentGroups'>) {
    return this.groups.list(caller.companyId, input);
  }

  createIntentGroup({ input, caller }: CallTo<C, 'createIntentGroup'>) {
    return this.groups.add(caller, newIntentGroup(input));
  }

  async getIntentGroup({ keys }: Batch) {
    return this.groups.read(keys);
  }

  updateIntentGroup({ input: { intent_group_id, ...change }, caller }: CallTo<C, 'updateIntentGroup'>) {
    return this.groups.change(caller, intent_group_id, () => updateIntentGroup(change));
  }

  async deleteIntentGroup({ input, caller }: CallTo<C, 'deleteIntentGroup'>) {
    await this.groups.get(caller.companyId, input.intent_group_id);
    const uses = await this.bus.call(trainingLinks.endpoints.findGroupUses, input, caller);
    const inUse = groupUseConflict(uses);
    if (inUse) throw inUse;
    const reply = await this.groups.drop(caller, input.intent_group_id);
    this.changes.changed(caller.companyId);
    return reply;
  }

  getIntentGroupConfig({ input, caller }: CallTo<C, 'getIntentGroupConfig'>) {
    return this.configs.view(caller.companyId, 'intent_group', input.intent_group_id);
  }

  updateIntentGroupConfig({ input: { intent_group_id: id, ...change }, caller }: CallTo<C, 'updateIntentGroupConfig'>) {
    return this.configs.change(caller, { what: 'intent_group', id, rows: this.groups }, change);
  }

  async listIntentGroupIntents({ input, caller }: CallTo<C, 'listIntentGroupIntents'>) {
    await this.groups.get(caller.companyId, input.intent_group_id);
    return this.intents.listBy(caller.companyId, input);
  }

  async listIntentGroupRequests({ input, caller }: CallTo<C, 'listIntentGroupRequests'>) {
    await this.groups.get(caller.companyId, input.intent_group_id);
    const filters = conditionsOf({ intent_group_id: input.intent_group_id });
    return this.requests.list(caller.companyId, { ...input, filters }, false);
  }

  async listIntentGroupModels({ input, caller }: CallTo<C, 'listIntentGroupModels'>) {
    await this.groups.get(caller.companyId, input.intent_group_id);
    const filters = [usedBy('intent_group_id', input.intent_group_id)];
    return this.models.list(caller.companyId, { ...input, filters });
  }
}
