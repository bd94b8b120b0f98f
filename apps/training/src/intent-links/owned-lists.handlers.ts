import { BusClient, Serves } from '@signalbox/bus';
import { type CallTo, groupTraining, type Handlers, intentDatasets, intentGroups, intents } from '@signalbox/contracts';
import { Compositions } from '../compositions/index.js';
import { FinetuneRunRows } from '../training-runs/index.js';
import { Datasets } from '../datasets/index.js';

type OfIntent = typeof intentDatasets;
type OfGroup = typeof groupTraining;

@Serves(intentDatasets)
export class IntentDatasetHandlers implements Handlers<OfIntent> {
  constructor(
    private readonly datasets: Datasets,
    private readonly bus: BusClient,
  ) {}

  async listIntentDatasets({ input, caller }: CallTo<OfIntent, 'listIntentDatasets'>) {
    const { application_id, intent_id } = input;
    const intent = await this.bus.call(intents.endpoints.getIntent, { application_id, intent_id }, caller);
    const owner = { groupId: intent.intent_group_id, applicationId: application_id };
    return this.datasets.listOfGroup(caller.companyId, owner, input);
  }
}

@Serves(groupTraining)
export class GroupTrainingHandlers implements Handlers<OfGroup> {
  constructor(
    private readonly datasets: Datasets,
    private readonly compositions: Compositions,
    private readonly finetunes: FinetuneRunRows,
    private readonly bus: BusClient,
  ) {}

  async listIntentGroupDatasets({ input, caller }: CallTo<OfGroup, 'listIntentGroupDatasets'>) {
    const { intent_group_id } = input;
    await this.bus.call(intentGroups.endpoints.getIntentGroup, { intent_group_id }, caller);
    return this.datasets.listOfGroup(caller.companyId, { groupId: intent_group_id }, input);
  }

  async listIntentGroupCompositions({ input, caller }: CallTo<OfGroup, 'listIntentGroupCompositions'>) {
    const { intent_group_id } = input;
    await this.bus.call(intentGroups.endpoints.getIntentGroup, { intent_group_id }, caller);
    return this.compositions.listOfGroup(caller.companyId, intent_group_id, input);
  }

  async listIntentGroupFinetuneRuns({ input, caller }: CallTo<OfGroup, 'listIntentGroupFinetuneRuns'>) {
    const { intent_group_id } = input;
    await this.bus.call(intentGroups.endpoints.getIntentGroup, { intent_group_id }, caller);
    return this.finetunes.listOfGroup(caller.companyId, intent_group_id, input);
  }
}
