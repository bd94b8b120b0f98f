import {
  actions,
  type Agent,
  type AgentAction,
  agents,
  agentVersions,
  applications,
  type Caller,
  type InputOf,
  type ListQuery,
  type Model,
  models,
  providers,
} from '@signalbox/contracts';
import { type AuditedChange, auditsAbout, eventsAbout, type Platform } from '@signalbox/testing';

/** A list query as the gateway fills it in. */
export const PAGE: ListQuery = { offset: 0, limit: 25, sort: '-id' };

type NewAgent = InputOf<typeof agents.endpoints.createAgent>;
type NewAction = InputOf<typeof actions.endpoints.createAction>;

/** A company with an application, and short ways to what a test starts from. */
export class World {
  private constructor(
    readonly platform: Platform,
    readonly companyId: number,
    /** Its key for the public API. */
    readonly key: string,
    readonly applicationId: number,
  ) {}

  static async make(platform: Platform): Promise<World> {
    const { companyId, key } = await platform.company();
    const application = await platform.bus.call(
      applications.endpoints.createApplication,
      { application_name: 'Shop', state: 'ENABLED', meta: {} },
      platform.caller(companyId),
    );
    return new World(platform, companyId, key, application.id);
  }

  /** A caller of the company with all scopes. */
  caller(change: Partial<Caller> = {}): Caller {
    return this.platform.caller(this.companyId, change);
  }

  agent(change: Partial<NewAgent> = {}): Promise<Agent> {
    const body: NewAgent = {
      application_id: this.applicationId,
      agent_name: 'Helper',
      status: 'ENABLED',
      execution_mode: 'reasoning',
      agent_config: {},
      max_iterations: 10,
      meta: {},
      ...change,
    };
    return this.platform.bus.call(agents.endpoints.createAgent, body, this.caller());
  }

  action(agentId: number, name: string, change: Partial<NewAction> = {}): Promise<AgentAction> {
    const body: NewAction = {
      agent_id: agentId,
      action_name: name,
      action_type: 'api',
      description: 'does it',
      enabled: true,
      action_config: { endpoint: 'https://api.example.com/x' },
      meta: {},
      is_default: false,
      action_result_type: 'gather_info',
      invocation_mode: 'foreground',
      ...change,
    };
    return this.platform.bus.call(actions.endpoints.createAction, body, this.caller());
  }

  /** A model of the company, on a separate simulated provider. */
  async model(model_name: string): Promise<Model> {
    const provider = { provider_name: `sim-${model_name}`, kind: 'simulated', default_headers: {} } as const;
    const { id } = await this.platform.bus.call(
      providers.endpoints.createProvider,
      { ...provider, timeout_ms: 20_000, status: 'ENABLED' },
      this.caller(),
    );
    const able = { supports_tools: true, supports_json_schema: true, trainable: false, status: 'ENABLED' } as const;
    return this.platform.bus.call(
      models.endpoints.createModel,
      { model_name, provider_id: id, ...able },
      this.caller(),
    );
  }

  get(agentId: number): Promise<Agent> {
    return this.platform.bus.call(agents.endpoints.getAgent, { agent_id: agentId }, this.caller());
  }

  publish(agentId: number, increment: 'major' | 'minor' | 'patch' = 'minor', caller = this.caller()) {
    const body = { agent_id: agentId, increment, version_notes: '' };
    return this.platform.bus.call(agentVersions.endpoints.publishVersion, body, caller);
  }

  /** Names of the events about one resource, in the order of the outbox. */
  async events(type: string, id: number): Promise<string[]> {
    return (await eventsAbout(this, 'agents', type, id)).map(({ event }) => event);
  }

  /** Audit entries about one resource, in the order of the outbox. */
  audits(type: string, id: number): Promise<AuditedChange[]> {
    return auditsAbout(this, 'agents', type, id);
  }
}
