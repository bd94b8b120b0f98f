import {
  agents,
  applications,
  completions,
  type CompletionCall,
  type Config,
  intentGroups,
  intents,
} from '@signalbox/contracts';
import { LIST, type Traffic } from './traffic.js';

const hello = [{ role: 'user' as const, content: 'hello' }];

/** Short ways to the applications, intents and groups of a company. */
export class Places {
  constructor(
    private readonly traffic: Traffic,
    readonly companyId: number,
  ) {}

  get bus() {
    return this.traffic.platform.bus;
  }

  caller() {
    return this.traffic.platform.caller(this.companyId, { keyId: 7 });
  }

  complete(more: Partial<CompletionCall> = {}) {
    const call = { messages: hello, return_evaluation: false, ...more };
    return this.bus.call(completions.endpoints.createCompletion, call, this.caller());
  }

  application(application_name: string, config: Config = {}) {
    const body = { application_name, state: 'ENABLED' as const, meta: {}, config };
    return this.bus.call(applications.endpoints.createApplication, body, this.caller());
  }

  readApplication(application_id: number) {
    return this.bus.call(applications.endpoints.getApplication, { application_id }, this.caller());
  }

  intent(application_id: number, action_type: string, more: { config?: Config; agent_id?: number } = {}) {
    return this.bus.call(intents.endpoints.createIntent, { application_id, action_type, ...more }, this.caller());
  }

  configureApplication(application_id: number, config: Config) {
    return this.bus.call(applications.endpoints.updateApplicationConfig, { application_id, ...config }, this.caller());
  }

  configureIntent(application_id: number, intent_id: number, config: Config) {
    const { updateIntentConfig } = intents.endpoints;
    return this.bus.call(updateIntentConfig, { application_id, intent_id, ...config }, this.caller());
  }

  configureGroup(intent_group_id: number, config: Config) {
    const { updateIntentGroupConfig } = intentGroups.endpoints;
    return this.bus.call(updateIntentGroupConfig, { intent_group_id, ...config }, this.caller());
  }

  async applications() {
    return (await this.bus.call(applications.endpoints.listApplications, LIST, this.caller())).data;
  }

  async intents(application_id: number) {
    return (await this.bus.call(intents.endpoints.listIntents, { ...LIST, application_id }, this.caller())).data;
  }

  async groups() {
    return (await this.bus.call(intentGroups.endpoints.listIntentGroups, LIST, this.caller())).data;
  }

  agent(application_id: number, agent_name = 'Helper', model: string | null = 'm') {
    const body = {
      application_id,
      agent_name,
      model,
      status: 'ENABLED' as const,
      execution_mode: 'reasoning' as const,
      agent_config: {},
      max_iterations: 3,
      meta: {},
    };
    return this.bus.call(agents.endpoints.createAgent, body, this.caller());
  }

  async events(family: string): Promise<{ event: string; data: Record<string, unknown> }[]> {
    const { rows } = await this.traffic.platform.sql.query<{ event: string; data: Record<string, unknown> }>(
      `SELECT payload::jsonb->>'event' AS event, payload::jsonb->'data' AS data FROM traffic.outbox
       WHERE company_id = $1 AND subject LIKE $2 ORDER BY id`,
      [this.companyId, `events.%.${family}.%`],
    );
    return rows;
  }
}
