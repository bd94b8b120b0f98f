import { defineContract } from '../../contract.js';
import { download, page } from '../../contract/outputs.js';
import { Checked } from '../../fields/checks.js';
import { intType } from '../../fields/field-types.js';
import {
  Count,
  Default,
  Description,
  Epoch,
  Id,
  Int,
  join,
  List,
  ListOf,
  Name,
  Nullable,
  Num,
  omit,
  OneOf,
  Optional,
  partial,
  Str,
} from '../../fields/fields.js';
import { Deleted, ListQuery } from '../../shapes.js';
import { CompositionPreview, TRAINING_SPLITS, type TrainingSplit } from './composition-previews.js';

export const COMPOSITION_STATUSES = ['DRAFT', 'READY'] as const;

class EntryBody {
  @Num(0, 100)
  @Default(1)
  @Description('The share of the rows that is used: 0.5 is half of them, 2 is each of them twice')
  weight!: number;
  @Int() @Nullable() @Default(null) max_requests!: number | null;
}

export class CompositionEntry extends EntryBody {
  @Id() dataset_id!: number;
}

/** A dataset occurs at most once. */
const UniqueDatasets = Checked<{ entries?: CompositionEntry[] }>(({ entries = [] }) => {
  const at = entries.findIndex(({ dataset_id }, index) =>
    entries.slice(0, index).some((before) => before.dataset_id === dataset_id),
  );
  return at < 0
    ? undefined
    : { field: `entries[${at}].dataset_id`, message: 'must be a dataset that no other entry names' };
});

class CompositionBody {
  @Name() composition_name!: string;
  @Str() @Nullable() @Optional() description?: string | null;
  @Id() intent_group_id!: number;
  @ListOf(() => CompositionEntry, 0, 50) @Default(() => []) entries!: CompositionEntry[];
  @Num(0, 0.5) @Default(0.1) validation_split!: number;
  @Int(0) @Default(0) seed!: number;
  @List(intType(), 0, 20) @Default(() => []) exclude_test_set_ids!: number[];
}

@UniqueDatasets
class NewComposition extends CompositionBody {}

/** A weighted mix of datasets (docs/api/training.md). */
export class Composition {
  @Id() id!: number;
  @Name() composition_name!: string;
  @Str() @Nullable() description!: string | null;
  @Id() intent_group_id!: number;
  @ListOf(() => CompositionEntry) entries!: CompositionEntry[];
  @Num() validation_split!: number;
  @Int(0) seed!: number;
  @List(intType()) exclude_test_set_ids!: number[];
  @OneOf(COMPOSITION_STATUSES) status!: (typeof COMPOSITION_STATUSES)[number];
  @Count()
  @Description('After weights, caps and exclusions; these as of the last change, preview, export or finetune run')
  request_count!: number;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

export class CompositionPath {
  @Id() composition_id!: number;
}

class ListCompositions extends ListQuery {
  @Id() @Optional() intent_group_id?: number;
  @OneOf(COMPOSITION_STATUSES) @Optional() status?: (typeof COMPOSITION_STATUSES)[number];
}

@UniqueDatasets
class ChangeComposition extends join(CompositionPath, partial(omit(CompositionBody, 'intent_group_id'))) {}

class AddEntry extends join(CompositionPath, CompositionEntry) {}

class EntryPath extends CompositionPath {
  @Id() dataset_id!: number;
}

class ChangeEntry extends join(EntryPath, partial(EntryBody)) {}

class PreviewComposition extends CompositionPath {
  @Int(0, 50) @Default(5) sample_size!: number;
}

class ExportComposition extends CompositionPath {
  @OneOf(TRAINING_SPLITS) @Default('train') split!: TrainingSplit;
}

const one = '/compositions/{composition_id}' as const;

/** Compositions (docs/api/training.md). */
export const compositions = defineContract(
  { name: 'compositions', service: 'training', tag: 'Compositions' },
  {
    listCompositions: {
      get: '/compositions',
      summary: 'List the compositions',
      input: ListCompositions,
      output: page(Composition),
    },
    createComposition: {
      post: '/compositions',
      summary: 'Create a composition',
      errors: ['conflict', 'not_found'],
      input: NewComposition,
      output: Composition,
    },
    getComposition: {
      get: one,
      summary: 'Get a composition',
      input: CompositionPath,
      output: Composition,
      delivery: { batchable: 'composition_id' },
    },
    updateComposition: {
      put: one,
      summary: 'Change a composition that no unfinished finetune run uses',
      errors: ['conflict'],
      input: ChangeComposition,
      output: Composition,
    },
    deleteComposition: {
      delete: one,
      summary: 'Delete a composition that no unfinished finetune run uses',
      errors: ['conflict'],
      input: CompositionPath,
      output: Deleted,
    },
    addCompositionDataset: {
      post: `${one}/datasets`,
      summary: 'Add a dataset to a composition',
      errors: ['conflict'],
      input: AddEntry,
      output: Composition,
    },
    updateCompositionDataset: {
      put: `${one}/datasets/{dataset_id}`,
      summary: 'Change the share of a dataset in a composition',
      errors: ['conflict'],
      input: ChangeEntry,
      output: Composition,
    },
    removeCompositionDataset: {
      delete: `${one}/datasets/{dataset_id}`,
      summary: 'Remove a dataset from a composition',
      errors: ['conflict'],
      input: EntryPath,
      output: Composition,
    },
    previewComposition: {
      post: `${one}/preview`,
      summary: 'Show what a composition consists of, with samples',
      scope: 'read',
      errors: ['conflict'],
      input: PreviewComposition,
      output: CompositionPreview,
      delivery: { slow: true },
    },
    exportComposition: {
      get: `${one}/export`,
      summary: "Export the rows of a composition as JSONL in the format of OpenAI's fine-tuning",
      errors: ['conflict'],
      input: ExportComposition,
      output: download('application/jsonl'),
      delivery: { slow: true, abandonable: true },
    },
  },
);
