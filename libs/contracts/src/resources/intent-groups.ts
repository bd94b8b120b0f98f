import { defineContract } from '../contract.js';
import { page } from '../contract/outputs.js';
import {
  Count,
  Default,
  Epoch,
  Id,
  join,
  Name,
  Nested,
  Nullable,
  Obj,
  Optional,
  partial,
  pick,
  Str,
} from '../fields/fields.js';
import { Deleted, ListQuery } from '../shapes.js';
import { Config, configEndpoints } from './config.js';
import { Intent } from './intents.js';
import { Model } from './models.js';
import { RecordedRequest } from './chat/recorded-requests.js';
import { IntentGroupPath, OfIntentGroup } from './paths.js';

/** The intents with the same name in all applications of a company (docs/api/traffic.md). */
export class IntentGroup {
  @Id() id!: number;
  @Name() intent_group_name!: string;
  @Str() @Nullable() description!: string | null;
  @Nested(() => Config) config!: Config;
  @Obj() meta!: Record<string, unknown>;
  @Count() application_count!: number;
  @Count() intent_count!: number;
  @Count() request_count!: number;
  @Count() sentinel_count!: number;
  @Epoch() @Nullable() last_activity!: number | null;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}
class IntentGroupBody {
  @Name() intent_group_name!: string;
  @Str() @Nullable() @Optional() description?: string | null;
  @Obj() @Default(() => ({})) meta?: Record<string, unknown>;
}

const one = '/intent-groups/{intent_group_id}' as const;
const config = configEndpoints(one, IntentGroupPath, 'an intent group');

/** Intent groups (docs/api/traffic.md). */
export const intentGroups = defineContract(
  { name: 'intent-groups', service: 'traffic', tag: 'Intent Groups', readsAfter: 'completions' },
  {
    listIntentGroups: {
      get: '/intent-groups',
      summary: 'List the intent groups',
      input: ListQuery,
      output: page(IntentGroup),
    },
    createIntentGroup: {
      post: '/intent-groups',
      summary: 'Create an intent group for future intents of its name',
      errors: ['conflict'],
      input: IntentGroupBody,
      output: IntentGroup,
    },
    getIntentGroup: {
      get: one,
      summary: 'Get an intent group',
      input: IntentGroupPath,
      output: IntentGroup,
      delivery: { batchable: 'intent_group_id' },
    },
    updateIntentGroup: {
      put: one,
      summary: 'Change an intent group',
      input: join(IntentGroupPath, partial(pick(IntentGroupBody, 'description', 'meta'))),
      output: IntentGroup,
    },
    deleteIntentGroup: {
      delete: one,
      summary: 'Delete an intent group without intents',
      errors: ['conflict'],
      input: IntentGroupPath,
      output: Deleted,
    },
    getIntentGroupConfig: config.get,
    updateIntentGroupConfig: config.update,
    listIntentGroupIntents: {
      get: `${one}/intents`,
      summary: 'List the intents of an intent group',
      input: OfIntentGroup,
      output: page(Intent),
    },
    listIntentGroupRequests: {
      get: `${one}/requests`,
      summary: 'List the requests of an intent group',
      input: OfIntentGroup,
      output: page(RecordedRequest),
    },
    listIntentGroupModels: {
      get: `${one}/models`,
      summary: 'List the models that the traffic or the configuration of an intent group uses',
      input: OfIntentGroup,
      output: page(Model),
    },
  },
);
