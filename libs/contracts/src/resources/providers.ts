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
  List,
  MapOf,
  Matching,
  Nullable,
  OneOf,
  Optional,
  partial,
  Slug,
  Str,
} from '../fields/fields.js';
import { stringType } from '../fields/field-types.js';
import { Deleted, HEADER_NAME, ListQuery, ON_OFF, type OnOff } from '../shapes.js';
import { modelNameType } from './model-names.js';

/** A provider uses the OpenAI protocol over HTTP, or is the built-in simulation. */
export const PROVIDER_KINDS = ['openai_compatible', 'simulated'] as const;

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
export class ProviderTest {
  @Flag() ok!: boolean;
  @Int(0) latency_ms!: number;
  @Str() @Nullable() failure_class!: string | null;
  @Str() @Nullable() message!: string | null;
  @List(stringType(0, 200)) @Nullable() models!: string[] | null;
}

/** Model providers (docs/api/traffic.md). */
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
      input: TestProvider,
      output: ProviderTest,
      delivery: { slow: true },
    },
  },
);
