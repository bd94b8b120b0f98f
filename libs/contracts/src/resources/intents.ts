import { defineContract } from '../contract.js';
import { page } from '../contract/outputs.js';
import {
  Count,
  Default,
  Epoch,
  Flag,
  Id,
  join,
  Name,
  Nested,
  Nullable,
  Obj,
  omit,
  Optional,
  partial,
  Description,
  Str,
  Text,
} from '../fields/fields.js';
import { Deleted } from '../shapes.js';
import { ChatSession } from './chat/chat-sessions.js';
import { Config, configEndpoints } from './config.js';
import { Model } from './models.js';
import { RecordedRequest } from './chat/recorded-requests.js';
import { ApplicationPath, OfApplication, OfIntent } from './paths.js';

/** An intent: one kind of model request of an application (docs/api/traffic.md). */
export class Intent {
  @Id() id!: number;
  @Id() application_id!: number;
  @Name() action_type!: string;
  @Str() @Nullable() description!: string | null;
  @Text() @Nullable() prompt!: string | null;
  @Nested(() => Config) config!: Config;
  @Obj() meta!: Record<string, unknown>;
  @Id() intent_group_id!: number;
  @Id() @Nullable() agent_id!: number | null;
  @Flag() notifications_enabled!: boolean;
  @Count() request_count!: number;
  @Epoch() @Nullable() last_activity!: number | null;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}
class IntentPath extends ApplicationPath {
  @Id() intent_id!: number;
}
class IntentBody {
  @Name() action_type!: string;
  @Str() @Nullable() @Optional() description?: string | null;
  @Text() @Nullable() @Optional() prompt?: string | null;
  @Nested(() => Config) @Default(() => ({})) config?: Config;
  @Obj() @Default(() => ({})) meta?: Record<string, unknown>;
  @Id() @Nullable() @Optional() @Description('Answers the calls of the intent that name no model') agent_id?:
    number | null;
}
class IntentChange extends partial(omit(IntentBody, 'action_type', 'config')) {
  @Flag() @Optional() notifications_enabled?: boolean;
}

const all = '/applications/{application_id}/intents' as const;
const one = `${all}/{intent_id}` as const;
const config = configEndpoints(one, IntentPath, 'an intent');

/** Intents (docs/api/traffic.md). */
export const intents = defineContract(
  { name: 'intents', service: 'traffic', tag: 'Intents', readsAfter: 'completions' },
  {
    listIntents: {
      get: all,
      summary: 'List the intents of an application',
      input: OfApplication,
      output: page(Intent),
    },
    createIntent: {
      post: all,
      summary: 'Create an intent',
      errors: ['conflict', 'refused'],
      input: join(ApplicationPath, IntentBody),
      output: Intent,
    },
    getIntent: { get: one, summary: 'Get an intent', input: IntentPath, output: Intent },
    updateIntent: { put: one, summary: 'Change an intent', input: join(IntentPath, IntentChange), output: Intent },
    deleteIntent: {
      delete: one,
      summary: 'Delete an intent',
      errors: ['conflict'],
      input: IntentPath,
      output: Deleted,
    },
    getIntentConfig: config.get,
    updateIntentConfig: config.update,
    resetIntentConfig: config.reset,
    listIntentRequests: {
      get: `${one}/requests`,
      summary: 'List the requests of an intent',
      input: OfIntent,
      output: page(RecordedRequest),
    },
    listIntentModels: {
      get: `${one}/models`,
      summary: 'List the models that the traffic or the configuration of an intent uses',
      input: OfIntent,
      output: page(Model),
    },
    listIntentSessions: {
      get: `${one}/sessions`,
      summary: 'List the sessions in which an intent occurs',
      input: OfIntent,
      output: page(ChatSession),
    },
  },
);
