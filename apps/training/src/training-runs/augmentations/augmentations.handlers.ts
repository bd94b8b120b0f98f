import { BusClient, Serves } from '@signalbox/bus';
import {
  augmentations,
  type Caller,
  type CallTo,
  conflict,
  type Handlers,
  notFound,
  trafficLinks,
} from '@signalbox/contracts';
import { Augmentations } from './augmentation-kind.js';

type C = typeof augmentations;

@Serves(augmentations)
export class AugmentationHandlers implements Handlers<C> {
  constructor(
    private readonly augmentations: Augmentations,
    private readonly bus: BusClient,
  ) {}

  listAugmentations({ input: { dataset_id, ...query }, caller }: CallTo<C, 'listAugmentations'>) {
    return this.augmentations.list(caller.companyId, dataset_id, query);
  }

  async createAugmentation({ input, caller }: CallTo<C, 'createAugmentation'>) {
    const { dataset_id, type, schema } = input;
    const count = type === 'variation' ? input.count : 1;
    const model = await this.modelOf(input.model, caller);
    return this.augmentations.create(caller, { dataset_id, type, schema, count, model });
  }

  getAugmentation({ input, caller }: CallTo<C, 'getAugmentation'>) {
    return this.augmentations.find(caller.companyId, input.dataset_id, input.augmentation_id);
  }

  /** Throws 404 for an unknown model, 409 for a disabled one. */
  private async modelOf(given: string | undefined, caller: Caller): Promise<string> {
    const wanted = { application_id: null, model_names: given ? [given] : [], with_default: given === undefined };
    const { default_model, unknown, disabled } = await this.bus.call(
      trafficLinks.endpoints.findUncallable,
      wanted,
      caller,
    );
    if (unknown.length > 0) throw notFound('model');
    if (disabled.length > 0) throw conflict(`model ${disabled[0]} is DISABLED`);
    return given ?? default_model ?? '';
  }
}
