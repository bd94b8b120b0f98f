import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { stringType } from '../../fields/field-types.js';
import {
  Count,
  Default,
  Epoch,
  Id,
  join,
  List,
  Name,
  Nullable,
  Obj,
  OneOf,
  Optional,
  partial,
  pick,
  Str,
} from '../../fields/fields.js';
import { Deleted, ListQuery } from '../../shapes.js';

export const DATASET_STATUSES = ['DRAFT', 'READY', 'ARCHIVED'] as const;
export type DatasetStatus = (typeof DATASET_STATUSES)[number];

class DatasetBody {
  @Name() dataset_name!: string;
  @Str() @Nullable() @Optional() description?: string | null;
  @Id() intent_group_id!: number;
  @Id() @Nullable() @Optional() application_id?: number | null;
  @List(stringType(1, 200), 0, 20) @Default(() => []) tags!: string[];
  @Obj() @Default(() => ({})) meta!: Record<string, unknown>;
}

/** A curated set of requests for finetuning (docs/api/training.md). */
export class Dataset {
  @Id() id!: number;
  @Name() dataset_name!: string;
  @Str() @Nullable() description!: string | null;
  @Id() intent_group_id!: number;
  @Id() @Nullable() application_id!: number | null;
  @OneOf(DATASET_STATUSES) status!: DatasetStatus;
  @Count() request_count!: number;
  @List(stringType(1, 200)) tags!: string[];
  @Obj() meta!: Record<string, unknown>;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

export class DatasetPath {
  @Id() dataset_id!: number;
}
class ListDatasets extends ListQuery {
  @Id() @Optional() intent_group_id?: number;
  @OneOf(DATASET_STATUSES) @Optional() status?: DatasetStatus;
}

const one = '/datasets/{dataset_id}' as const;

/** Datasets (docs/api/training.md). */
export const datasets = defineContract(
  { name: 'datasets', service: 'training', tag: 'Datasets' },
  {
    listDatasets: { get: '/datasets', summary: 'List the datasets', input: ListDatasets, output: page(Dataset) },
    createDataset: {
      post: '/datasets',
      summary: 'Create a dataset',
      errors: ['conflict', 'not_found'],
      input: DatasetBody,
      output: Dataset,
    },
    getDataset: {
      get: one,
      summary: 'Get a dataset',
      input: DatasetPath,
      output: Dataset,
      delivery: { batchable: 'dataset_id' },
    },
    updateDataset: {
      put: one,
      summary: 'Change a dataset',
      errors: ['conflict'],
      input: join(DatasetPath, partial(pick(DatasetBody, 'dataset_name', 'description', 'tags', 'meta'))),
      output: Dataset,
    },
    deleteDataset: {
      delete: one,
      summary: 'Delete a dataset that no composition contains',
      errors: ['conflict'],
      input: DatasetPath,
      output: Deleted,
    },
    archiveDataset: {
      post: `${one}/archive`,
      summary: 'Archive a dataset: it is read-only until it is unarchived',
      errors: ['conflict'],
      input: DatasetPath,
      output: Dataset,
    },
    unarchiveDataset: {
      post: `${one}/unarchive`,
      summary: 'Make an archived dataset changeable again',
      errors: ['conflict'],
      input: DatasetPath,
      output: Dataset,
    },
  },
);
