import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import { Checked } from '../../fields/checks.js';
import {
  Count,
  Default,
  Description,
  Epoch,
  field,
  Id,
  Int,
  ListOf,
  Matching,
  Nullable,
  OneOf,
  Optional,
  Str,
} from '../../fields/fields.js';
import { ListQuery } from '../../shapes.js';
import { modelNameType } from '../model-names.js';
import { DatasetPath } from './datasets.js';

export const AUGMENTATION_TYPES = ['reasoning', 'variation'] as const;
export type AugmentationType = (typeof AUGMENTATION_TYPES)[number];
export const AUGMENTATION_STATUSES = ['CREATED', 'RUNNING', 'COMPLETED', 'FAILED'] as const;

/** A field of the reasoning that a model writes about a row. */
export class ReasoningField {
  @Matching(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, 'a name of letters, digits and "_"') field!: string;
  @Str(1, 2000) instruction!: string;
}

/** The extension of a dataset by a model (docs/api/training.md). */
export class Augmentation {
  @Id() id!: number;
  @Id() dataset_id!: number;
  @OneOf(AUGMENTATION_TYPES) type!: AugmentationType;
  @field(modelNameType) model!: string;
  @ListOf(() => ReasoningField) schema!: ReasoningField[];
  @Int(1, 20) count!: number;
  @OneOf(AUGMENTATION_STATUSES) status!: (typeof AUGMENTATION_STATUSES)[number];
  @Count() @Description('Rows that got a reasoning, or that were added') produced!: number;
  @Count() @Description('Rows for which the model gave no usable answer') failed!: number;
  @Str(0, 4000) @Nullable() error_message!: string | null;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
  @Epoch() @Nullable() completed_at!: number | null;
}

@Checked<NewAugmentation>(({ type, schema }) =>
  type === 'reasoning' && schema.length === 0
    ? { field: 'schema', message: 'is required with reasoning' }
    : type === 'variation' && schema.length > 0
      ? { field: 'schema', message: 'is only used with reasoning' }
      : undefined,
)
@Checked<NewAugmentation>(({ schema }) => {
  const names = schema.map((each) => each.field);
  const at = names.findIndex((name, index) => names.indexOf(name) < index);
  return at < 0 ? undefined : { field: `schema[${at}].field`, message: 'must be a name that no other field has' };
})
class NewAugmentation extends DatasetPath {
  @OneOf(AUGMENTATION_TYPES) type!: AugmentationType;
  @ListOf(() => ReasoningField, 0, 20) @Default(() => []) schema!: ReasoningField[];
  @Int(1, 20) @Default(1) @Description('Variations of each row') count!: number;
  @field(modelNameType) @Optional() @Description('By default the default_model of the company') model?: string;
}
class ListAugmentations extends ListQuery {
  @Id() dataset_id!: number;
}
class AugmentationPath extends DatasetPath {
  @Id() augmentation_id!: number;
}

const all = '/datasets/{dataset_id}/augmentations' as const;

/** Augmentations of datasets (docs/api/training.md). */
export const augmentations = defineContract(
  { name: 'augmentations', service: 'training', tag: 'Datasets' },
  {
    listAugmentations: {
      get: all,
      summary: 'List the augmentations of a dataset',
      input: ListAugmentations,
      output: page(Augmentation),
    },
    createAugmentation: {
      post: all,
      summary: 'Let a model write the reasoning of each row, or variations of its question',
      scope: 'invoke',
      errors: ['conflict', 'not_found'],
      input: NewAugmentation,
      output: Augmentation,
    },
    getAugmentation: {
      get: `${all}/{augmentation_id}`,
      summary: 'Get an augmentation',
      input: AugmentationPath,
      output: Augmentation,
    },
  },
);
