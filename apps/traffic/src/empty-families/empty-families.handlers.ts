import { Serves } from '@signalbox/bus';
import { type Call, groupTraining, type Handlers, intentDatasets, type ListQuery } from '@signalbox/contracts';
import { IntentGroups } from '../intent-groups/intent-groups.repository.js';
import { Intents } from '../intents/intents.repository.js';

/** An empty page, for resources that no service provides yet. */
const none = ({ offset, limit }: ListQuery) => ({ data: [], pagination: { total: 0, offset, limit } });

type OfIntent = Call<ListQuery & { application_id: number; intent_id: number }>;
type OfGroup = Call<ListQuery & { intent_group_id: number }>;

/** Datasets of intents: always empty, because no service provides them yet. */
@Serves(intentDatasets)
export class IntentDatasetHandlers implements Handlers<typeof intentDatasets> {
  constructor(private readonly intents: Intents) {}

  async listIntentDatasets({ input, caller }: OfIntent) {
    await this.intents.getBelow(caller.companyId, input.application_id, input.intent_id);
    return none(input);
  }
}

/** Training of intent groups: always empty, because no service provides it yet. */
@Serves(groupTraining)
export class GroupTrainingHandlers implements Handlers<typeof groupTraining> {
  constructor(private readonly groups: IntentGroups) {}

  async listIntentGroupDatasets({ input, caller }: OfGroup) {
    await this.groups.get(caller.companyId, input.intent_group_id);
    return none(input);
  }

  listIntentGroupCompositions(call: OfGroup) {
    return this.listIntentGroupDatasets(call);
  }

  listIntentGroupFinetuneRuns(call: OfGroup) {
    return this.listIntentGroupDatasets(call);
  }
}
