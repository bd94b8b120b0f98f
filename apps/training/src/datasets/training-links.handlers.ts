import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, trainingLinks } from '@signalbox/contracts';
import { Datasets } from './datasets.repository.js';

type C = typeof trainingLinks;

/** References between training and the resources of other services. */
@Serves(trainingLinks)
export class TrainingLinkHandlers implements Handlers<C> {
  constructor(private readonly datasets: Datasets) {}

  async findGroupUses({ input, caller: { companyId } }: CallTo<C, 'findGroupUses'>) {
    const { ids, total } = await this.datasets.ofGroup(companyId, input.intent_group_id);
    return { dataset_ids: ids, datasets: total, composition_ids: [], compositions: 0 };
  }
}
