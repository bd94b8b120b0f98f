import { chunks, defineContract, page } from '../contract.js';
import {
  Default,
  Epoch,
  field,
  Flag,
  Id,
  Int,
  join,
  Json,
  List,
  ListOf,
  MapOf,
  Matching,
  Name,
  Nested,
  Nullable,
  Num,
  Obj,
  omit,
  OneOf,
  Optional,
  partial,
  Slug,
  Str,
} from '../fields.js';
import { patternType, stringType } from '../field-types.js';
import { Deleted, ListQuery, Message, ON_OFF, type OnOff, ResponseFormat, Usage } from '../shapes.js';
import { BucketedSpan, ModelUsage } from './analytics.js';
import { MODEL_NAME, modelNameType } from './companies.js';

/** A provider speaks the OpenAI protocol over HTTP, or is the built-in simulation. */
export const PROVIDER_KINDS = ['openai_compatible', 'simulated'] as const;

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;

class ProviderBody {
  @Slug() provider_name!: string;
  @OneOf(PROVIDER_KINDS) kind!: (typeof PROVIDER_KINDS)[number];
  @Matching(/^https?:\/\/[^\s]{1,500}$/, 'an http or https URL') @Nullable() @Optional() base_url?: string | null;
  @Str(1, 1000) @Nullable() @Optional() api_key?: string | null;
  @MapOf(stringType(0, 2000), HEADER_NAME, 20) @Default(() => ({})) default_headers!: Record<string, string>;
  @Int(100, 600_000) @Default(60_000) timeout_ms!: number;
  @OneOf(ON_OFF) @Default('ENABLED') status!: OnOff;
}

/** A model provider; its key is write-only. */
export class Provider {
  @Id() id!: number;
  @Slug() provider_name!: string;
  @OneOf(PROVIDER_KINDS) kind!: (typeof PROVIDER_KINDS)[number];
  @Str() @Nullable() base_url!: string | null;
  @Flag() api_key_set!: boolean;
  @Str(0, 4) @Nullable() api_key_last4!: string | null;
  @MapOf(stringType(0, 2000)) default_headers!: Record<string, string>;
  @Int() timeout_ms!: number;
  @OneOf(ON_OFF) status!: OnOff;
  @Flag() built_in!: boolean;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

class ProviderPath {
  @Id() provider_id!: number;
}
class TestProvider extends ProviderPath {
  @field(modelNameType) @Optional() model?: string;
}
/** The outcome of a connection test. */
export class ProviderTest {
  @Flag() ok!: boolean;
  @Int(0) latency_ms!: number;
  @Str() @Nullable() failure_class!: string | null;
  @Str() @Nullable() message!: string | null;
  @List(stringType(0, 200)) @Nullable() models!: string[] | null;
}

const ownModelName = patternType(
  new RegExp(`^(?!providers$|available$|workflow:|agent:)${MODEL_NAME.source.slice(1)}`),
  'a model name (not "providers" or "available", not starting with "workflow:" or "agent:")',
);

class ModelBody {
  @field(ownModelName) model_name!: string;
  @Name() @Optional() display_name?: string;
  @Id() provider_id!: number;
  @Str(1, 200) @Optional() provider_model?: string;
  @Int() @Nullable() @Optional() context_window?: number | null;
  @Num(0) @Nullable() @Optional() input_price_per_mtok?: number | null;
  @Num(0) @Nullable() @Optional() output_price_per_mtok?: number | null;
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

/** Model providers (api.md 2.18). */
export const providers = defineContract(
  { name: 'providers', service: 'traffic', tag: 'Models' },
  {
    listProviders: {
      get: '/models/providers',
      summary: 'List the providers',
      input: ListQuery,
      output: page(Provider),
    },
    createProvider: {
      post: '/models/providers',
      summary: 'Create a provider',
      errors: ['conflict'],
      scope: 'admin',
      input: ProviderBody,
      output: Provider,
    },
    getProvider: {
      get: '/models/providers/{provider_id}',
      summary: 'Get a provider',
      input: ProviderPath,
      output: Provider,
    },
    updateProvider: {
      put: '/models/providers/{provider_id}',
      summary: 'Change a provider',
      errors: ['conflict'],
      scope: 'admin',
      input: join(ProviderPath, partial(ProviderBody, 'kind')),
      output: Provider,
    },
    deleteProvider: {
      delete: '/models/providers/{provider_id}',
      summary: 'Delete a provider without models',
      errors: ['conflict'],
      scope: 'admin',
      input: ProviderPath,
      output: Deleted,
    },
    testProvider: {
      post: '/models/providers/{provider_id}/test',
      summary: 'Test the connection to a provider',
      scope: 'admin',
      slow: true,
      input: TestProvider,
      output: ProviderTest,
    },
  },
);

class UsageOfModel extends BucketedSpan {
  @Id() model_id!: number;
}

/** Models (api.md 2.18). */
export const models = defineContract(
  { name: 'models', service: 'traffic', tag: 'Models' },
  {
    listModels: { get: '/models', summary: 'List the models', bearer: true, input: ListModels, output: page(Model) },
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
      bearer: true,
      input: ModelOrName,
      output: Model,
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
    enableModel: {
      put: '/models/{model_id}/enable',
      summary: 'Enable a model',
      verb: true,
      input: ModelPath,
      output: Model,
    },
    disableModel: {
      put: '/models/{model_id}/disable',
      summary: 'Disable a model',
      verb: true,
      input: ModelPath,
      output: Model,
    },
    getModelUsage: {
      get: '/models/{model_id}/usage',
      reflects: 'completions',
      summary: 'Tell over time how a model was used',
      input: UsageOfModel,
      output: ModelUsage,
    },
  },
);

/** One call of a model on behalf of another service. */
export class ChatCall {
  @field(modelNameType) @Nullable() @Optional() model?: string | null;
  @Id() @Nullable() @Optional() application_id?: number | null;
  @Id() @Optional() agent_id?: number;
  @ListOf(() => Message, 1, 1000) messages!: Message[];
  @Json() @Optional() tools?: unknown[];
  @Json() @Optional() tool_choice?: unknown;
  @Num(0, 2) @Optional() temperature?: number;
  @Int(1, 1_000_000) @Optional() max_tokens?: number;
  @Nested(() => ResponseFormat) @Nullable() @Optional() response_format?: ResponseFormat | null;
  @Str(1, 128) @Optional() session_id?: string;
  @Str(0, 200) @Optional() reference_id?: string;
  @OneOf(['PROD', 'SYNTHETIC']) @Default('PROD') request_type!: 'PROD' | 'SYNTHETIC';
  @Obj() @Default(() => ({})) metadata!: Record<string, unknown>;
}

/** The model's answer with what it cost. */
export class ChatResult {
  @Str() request_id!: string;
  @Str() model!: string;
  @Nested(() => Message) message!: Message;
  @Str() finish_reason!: string;
  @Nested(() => Usage) usage!: Usage;
}

/** One line of a streamed call: a piece of the text, and at the end the whole answer. */
export type ChatPiece = { text: string } | { result: ChatResult };

/** Internal: every model call of the platform goes through here. */
export const chat = defineContract(
  { name: 'chat', service: 'traffic', tag: 'Internal' },
  {
    complete: {
      summary: 'Call a model and record the request',
      slow: true,
      abandonable: true,
      body: 'large',
      input: ChatCall,
      output: ChatResult,
    },
    stream: {
      summary: 'Call a model and hear what it says while it says it: lines of ChatPiece',
      slow: true,
      abandonable: true,
      body: 'large',
      input: ChatCall,
      output: chunks(),
    },
  },
);
