import { defineContract } from '../contract.js';
import { page } from '../contract/outputs.js';
import {
  Default,
  Epoch,
  field,
  Flag,
  Id,
  Int,
  join,
  Matching,
  Name,
  Nullable,
  Num,
  omit,
  OneOf,
  Optional,
  partial,
  Slug,
  Str,
} from '../fields/fields.js';
import { patternType } from '../fields/field-types.js';
import { Deleted, ListQuery, ON_OFF, type OnOff } from '../shapes.js';
import { BucketedSpan, ModelUsage } from './analytics.js';
import { MODEL_NAME } from './model-names.js';
import { switchEndpoints } from './switch-endpoints.js';

const ownModelName = patternType(
  new RegExp(`^(?!providers$|available$|workflow:|agent:)${MODEL_NAME.source.slice(1)}`),
  'a model name (not "providers" or "available", not starting with "workflow:" or "agent:")',
);

/** In US dollars per million tokens. */
const MAX_PRICE = 1e9;

class ModelBody {
  @field(ownModelName) model_name!: string;
  @Name() @Optional() display_name?: string;
  @Id() provider_id!: number;
  @Str(1, 200) @Optional() provider_model?: string;
  @Int() @Nullable() @Optional() context_window?: number | null;
  @Num(0, MAX_PRICE) @Nullable() @Optional() input_price_per_mtok?: number | null;
  @Num(0, MAX_PRICE) @Nullable() @Optional() output_price_per_mtok?: number | null;
  @Flag() @Default(true) supports_tools!: boolean;
  @Flag() @Default(true) supports_json_schema!: boolean;
  @Flag() @Default(false) trainable!: boolean;
  @OneOf(ON_OFF) @Default('ENABLED') status!: OnOff;
}

/** A model that calls can name. */
export class Model {
  @Id() id!: number;
  @Matching(MODEL_NAME, 'a model name') model_name!: string;
  @Name() display_name!: string;
  @Id() provider_id!: number;
  @Slug() provider_name!: string;
  @Str() provider_model!: string;
  @OneOf(['BASE', 'FINETUNED']) model_type!: 'BASE' | 'FINETUNED';
  @Str() @Nullable() base_model!: string | null;
  @Id() @Nullable() finetune_run_id!: number | null;
  @Id() @Nullable() intent_group_id!: number | null;
  @Int() @Nullable() context_window!: number | null;
  @Num() @Nullable() input_price_per_mtok!: number | null;
  @Num() @Nullable() output_price_per_mtok!: number | null;
  @Flag() supports_tools!: boolean;
  @Flag() supports_json_schema!: boolean;
  @Flag() trainable!: boolean;
  @OneOf(ON_OFF) status!: OnOff;
  @Flag() built_in!: boolean;
  @Flag() company_owned!: boolean;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

/** A model as clients of the OpenAI protocol list it. */
export class ListedModel {
  @Matching(MODEL_NAME, 'a model name') model_name!: string;
  @Slug() provider_name!: string;
  @Epoch() date_created!: number;
}

class ModelPath {
  @Id() model_id!: number;
}
class ModelOrName {
  @Str(1, 384) model_id!: string;
}
class ListModels extends ListQuery {
  @OneOf(['BASE', 'FINETUNED']) @Optional() model_type?: 'BASE' | 'FINETUNED';
  @Id() @Optional() provider_id?: number;
  @Id() @Optional() intent_group_id?: number;
  @Flag() @Optional() trainable?: boolean;
  @OneOf(ON_OFF) @Optional() status?: OnOff;
}

class UsageOfModel extends BucketedSpan {
  @Id() model_id!: number;
}

const switched = switchEndpoints('/models/{model_id}', ModelPath, Model, {
  enable: 'Enable a model',
  disable: 'Disable a model',
});

/** Models (docs/api/traffic.md). */
export const models = defineContract(
  { name: 'models', service: 'traffic', tag: 'Models' },
  {
    listModels: {
      get: '/models',
      summary: 'List the models',
      input: ListModels,
      output: page(Model),
      http: { bearer: true },
    },
    /** Internal. */
    listEnabledModels: {
      summary:
        'List the enabled models for clients of the OpenAI protocol: one page of up to 10,000, whatever its limit',
      input: ListModels,
      output: page(ListedModel),
    },
    listAvailableModels: {
      get: '/models/available',
      summary: 'List the models that can be called now',
      input: ListQuery,
      output: page(Model),
    },
    createModel: {
      post: '/models',
      summary: 'Create a model',
      errors: ['not_found', 'conflict'],
      input: ModelBody,
      output: Model,
    },
    getModel: {
      get: '/models/{model_id}',
      summary: 'Get a model by id or name',
      input: ModelOrName,
      output: Model,
      http: { bearer: true },
    },
    updateModel: {
      put: '/models/{model_id}',
      summary: 'Change a model',
      input: join(ModelPath, partial(omit(ModelBody, 'model_name', 'provider_id', 'status'))),
      output: Model,
    },
    deleteModel: {
      delete: '/models/{model_id}',
      summary: 'Delete a model',
      errors: ['conflict'],
      input: ModelPath,
      output: Deleted,
    },
    enableModel: switched.enable,
    disableModel: switched.disable,
    getModelUsage: {
      get: '/models/{model_id}/usage',
      summary: 'Tell over time how a model was used',
      input: UsageOfModel,
      output: ModelUsage,
      delivery: { readsAfter: 'completions' },
    },
  },
);
