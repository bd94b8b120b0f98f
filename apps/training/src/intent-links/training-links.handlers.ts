import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, trainingLinks } from '@signalbox/contracts';
import { Compositions } from '../compositions/index.js';
import { Datasets } from '../datasets/index.js';

type C = typeof trainingLinks;

@Serves(trainingLinks)
export class TrainingLinkHandlers implements Handlers<C> {
  constructor(
    private readonly datasets: Datasets,
    private readonly compositions: Compositions,
  ) {}

  async findGroupUses({ input, caller: { companyId } }: CallTo<C, 'findGroupUses'>) {
    const [sets, mixed] = await Promise.all([
      this.datasets.ofGroup(companyId, input.intent_group_id),
      this.compositions.ofGroup(companyId, input.intent_group_id),
    ]);
    return {
      dataset_ids: sets.ids,
      datasets: sets.total,
      composition_ids: mixed.ids,
      compositions: mixed.total,
    };
  }
}
