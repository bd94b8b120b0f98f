import { BusClient, Serves } from '@signalbox/bus';
import { type Batch, type CallTo, datasets, emits, type Handlers, requestSources } from '@signalbox/contracts';
import { archive, requireUnused, unarchive, updateDataset } from './dataset.js';
import { DatasetUses } from './dataset-uses.repository.js';
import { Datasets } from './datasets.repository.js';

type C = typeof datasets;

@Serves(datasets)
export class DatasetHandlers implements Handlers<C> {
  constructor(
    private readonly datasets: Datasets,
    private readonly uses: DatasetUses,
    private readonly bus: BusClient,
  ) {}

  listDatasets({ input, caller }: CallTo<C, 'listDatasets'>) {
    return this.datasets.listBy(caller.companyId, input);
  }

  async createDataset({ input, caller }: CallTo<C, 'createDataset'>) {
    const { intent_group_id, application_id = null } = input;
    const scope = { intent_group_id, application_id };
    await this.bus.call(requestSources.endpoints.requireTrainingScope, scope, caller);
    return this.datasets.add(caller, input);
  }

  getDataset({ keys }: Batch) {
    return this.datasets.read(keys);
  }

  updateDataset({ input: { dataset_id, ...change }, caller }: CallTo<C, 'updateDataset'>) {
    return this.datasets.change(caller, dataset_id, (row) => updateDataset(row, change));
  }

  deleteDataset({ input, caller }: CallTo<C, 'deleteDataset'>) {
    return this.datasets.remove(
      caller,
      input.dataset_id,
      () => ({ events: [emits('dataset.deleted')] }),
      async (tx, { id }) => requireUnused(id, await this.uses.compositionsOf(tx, id)),
    );
  }

  archiveDataset({ input, caller }: CallTo<C, 'archiveDataset'>) {
    return this.datasets.change(caller, input.dataset_id, archive);
  }

  unarchiveDataset({ input, caller }: CallTo<C, 'unarchiveDataset'>) {
    return this.datasets.change(caller, input.dataset_id, unarchive);
  }
}
