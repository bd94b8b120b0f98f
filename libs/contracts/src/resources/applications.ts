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
  OneOf,
  omit,
  Optional,
  partial,
  Description,
  Slug,
  Str,
} from '../fields/fields.js';
import { Deleted, ListQuery, ON_OFF, type OnOff, TimedListQuery } from '../shapes.js';
import { AgentSummary } from './agents/agents.js';
import { ChatSession } from './chat/chat-sessions.js';
import { Config, configEndpoints } from './config.js';
import { Model } from './models.js';
import { ApplicationPath, OfApplication } from './paths.js';

/** An application: the owner of traffic, agents and workflows (docs/api/traffic.md). */
export class Application {
  @Id() id!: number;
  @Name() application_name!: string;
  @Slug() application_ref_name!: string;
  @Str() @Nullable() description!: string | null;
  @OneOf(ON_OFF) state!: OnOff;
  @Nested(() => Config) config!: Config;
  @Obj() meta!: Record<string, unknown>;
  @Flag() fault_notifications!: boolean;
  @Flag() session_summaries!: boolean;
  @Count() intent_count!: number;
  @Count() request_count!: number;
  @Epoch() @Nullable() last_activity!: number | null;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}
class ApplicationBody {
  @Name() application_name!: string;
  @Slug() @Optional() application_ref_name?: string;
  @Str() @Nullable() @Optional() description?: string | null;
  @OneOf(ON_OFF) @Default('ENABLED') state!: OnOff;
  @Nested(() => Config) @Default(() => ({})) config?: Config;
  @Obj() @Default(() => ({})) meta!: Record<string, unknown>;
  @Flag()
  @Default(false)
  @Description('Sends request.fault for faults that sentinels find')
  fault_notifications?: boolean;
  @Flag()
  @Default(false)
  @Description('Writes a summary on sessions after 30 idle minutes')
  session_summaries?: boolean;
}
class ListApplications extends ListQuery {
  @OneOf(ON_OFF) @Optional() state?: OnOff;
}
class DeleteApplication extends ApplicationPath {
  @Flag() @Default(false) @Description('Detaches agents and workflows from the application') force?: boolean;
}
class OfApplicationInTime extends TimedListQuery {
  @Id() application_id!: number;
}

const one = '/applications/{application_id}' as const;
const config = configEndpoints(one, ApplicationPath, 'an application');

/** Applications (docs/api/traffic.md). */
export const applications = defineContract(
  { name: 'applications', service: 'traffic', tag: 'Applications', readsAfter: 'completions' },
  {
    listApplications: {
      get: '/applications',
      summary: 'List the applications',
      input: ListApplications,
      output: page(Application),
    },
    createApplication: {
      post: '/applications',
      summary: 'Create an application',
      errors: ['not_found', 'conflict', 'refused'],
      input: ApplicationBody,
      output: Application,
    },
    getApplication: {
      get: one,
      summary: 'Get an application',
      input: ApplicationPath,
      output: Application,
      delivery: { batchable: 'application_id' },
    },
    updateApplication: {
      put: one,
      summary: 'Change an application',
      input: join(ApplicationPath, partial(omit(ApplicationBody, 'application_ref_name', 'config'))),
      output: Application,
    },
    deleteApplication: {
      delete: one,
      summary: 'Delete an application with its intents',
      errors: ['conflict'],
      input: DeleteApplication,
      output: Deleted,
    },
    getApplicationConfig: config.get,
    updateApplicationConfig: config.update,
    resetApplicationConfig: config.reset,
    listApplicationModels: {
      get: `${one}/models`,
      summary: 'List the models that the traffic or the configuration of an application uses',
      input: OfApplication,
      output: page(Model),
    },
    listApplicationSessions: {
      get: `${one}/sessions`,
      summary: 'List the sessions of an application',
      input: OfApplicationInTime,
      output: page(ChatSession),
    },
    listApplicationAgents: {
      get: `${one}/agents`,
      summary: 'List the agents of an application',
      input: OfApplication,
      output: page(AgentSummary),
    },
  },
);
