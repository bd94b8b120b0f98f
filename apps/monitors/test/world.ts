import {
  type Agent,
  agents,
  applications,
  completions,
  type ListedMonitorRun,
  type Model,
  models,
  monitorActivity,
  type MonitorMetrics,
  providers,
  monitorRuns,
  type Caller,
  type ConditionGroup,
  type ConditionOperator,
  emptyMonitorConfig,
  type InputOf,
  type Intent,
  intents,
  type ListQuery,
  type Monitor,
  type MonitorConfig,
  monitors,
  type MonitorTarget,
  monitorTargets,
  type MonitorVersion,
  monitorVersions,
  type TargetType,
} from '@signalbox/contracts';
import { auditsAbout, eventsAbout, eventually, type Platform } from '@signalbox/testing';

/** A list query as the gateway fills it in. */
export const PAGE: ListQuery = { offset: 0, limit: 25, sort: '-id' };

/** A group of one condition on a path of the output. */
export const when = (path: string, operator: ConditionOperator, value?: unknown): ConditionGroup => ({
  kind: 'group',
  op: 'AND',
  children: [
    { kind: 'condition', id: path, source: 'json', path, operator, ...(value === undefined ? {} : { value }) },
  ],
});

/** A configuration whose output is the payload itself. */
export const direct = (fault?: ConditionGroup, warning?: ConditionGroup): MonitorConfig => ({
  ...emptyMonitorConfig(),
  runner: { resource_type: 'direct', input: {} },
  result: { default_outcome: 'PASS', ...(fault ? { fault } : {}), ...(warning ? { warning } : {}) },
});

type NewMonitor = InputOf<typeof monitors.endpoints.createMonitor>;

/** A company with an application, an intent and an agent, and short ways to its monitors. */
export class World {
  private constructor(
    readonly platform: Platform,
    readonly companyId: number,
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

  intent(action_type = 'ask'): Promise<Intent> {
    const body = { application_id: this.applicationId, action_type, config: {}, meta: {} };
    return this.platform.bus.call(intents.endpoints.createIntent, body, this.caller());
  }

  agent(agent_name = 'Helper'): Promise<Agent> {
    const body = {
      application_id: this.applicationId,
      agent_name,
      status: 'ENABLED',
      execution_mode: 'reasoning',
    } as const;
    return this.platform.bus.call(
      agents.endpoints.createAgent,
      { ...body, agent_config: {}, max_iterations: 10, meta: {} },
      this.caller(),
    );
  }

  monitor(change: Partial<NewMonitor> = {}): Promise<Monitor> {
    const body = { name: 'Watch', description: '', config: direct(), meta: {}, alert_rules: [], ...change };
    return this.platform.bus.call(monitors.endpoints.createMonitor, body, this.caller());
  }

  get(monitor_id: number): Promise<Monitor> {
    return this.platform.bus.call(monitors.endpoints.getMonitor, { monitor_id, include_targets: true }, this.caller());
  }

  update(monitor_id: number, change: Partial<NewMonitor>): Promise<Monitor> {
    return this.platform.bus.call(monitors.endpoints.updateMonitor, { monitor_id, ...change }, this.caller());
  }

  attach(monitor_id: number, target_type: TargetType, target_id: number, sample_rate = 100): Promise<MonitorTarget> {
    const body = { monitor_id, target_type, target_id, sample_rate, enabled: true };
    return this.platform.bus.call(monitorTargets.endpoints.attachMonitorTarget, body, this.caller());
  }

  publish(monitor_id: number): Promise<MonitorVersion> {
    const body = { monitor_id, increment: 'minor', version_notes: '' } as const;
    return this.platform.bus.call(monitorVersions.endpoints.publishVersion, body, this.caller());
  }

  activate(monitor_id: number): Promise<Monitor> {
    return this.platform.bus.call(monitors.endpoints.activateMonitor, { monitor_id }, this.caller());
  }

  /** A priced model on a scripted provider. */
  async judgeModel(base_url: string): Promise<Model> {
    const { id } = await this.platform.bus.call(
      providers.endpoints.createProvider,
      {
        provider_name: 'outside',
        kind: 'openai_compatible',
        base_url,
        api_key: 'sk-test-0123456789',
        default_headers: {},
        timeout_ms: 120_000,
        status: 'ENABLED',
      },
      this.caller(),
    );
    const able = { supports_tools: true, supports_json_schema: true, trainable: false, status: 'ENABLED' } as const;
    const price = { input_price_per_mtok: 1000, output_price_per_mtok: 1000 };
    return this.platform.bus.call(
      models.endpoints.createModel,
      { model_name: 'judge', provider_id: id, ...able, ...price },
      this.caller(),
    );
  }

  /** The metrics of a monitor over the last days. */
  metrics(monitor_id: number): Promise<MonitorMetrics> {
    const input = { monitor_id, bucket: 'day' } as const;
    return this.platform.bus.call(monitorActivity.endpoints.getMonitorMetrics, input, this.caller());
  }

  /** Records an answered call of an intent; returns its id. */
  async request(intent: Intent, answer: string, question = 'hello'): Promise<string> {
    const stored = await this.platform.bus.call(
      completions.endpoints.storeCompletion,
      {
        chat_completion_request: {
          messages: [{ role: 'user', content: question }],
          model: 'simulated-echo',
          application: 'Shop',
          intent: intent.action_type,
          return_evaluation: false,
        },
        chat_completion_response: { choices: [{ message: { role: 'assistant', content: answer } }] },
      },
      this.caller(),
    );
    return stored.request_id;
  }

  /** Records answered calls of an intent in one batch; returns their ids. */
  async requests(intent: Intent, count: number): Promise<string[]> {
    const item = {
      chat_completion_request: {
        messages: [{ role: 'user' as const, content: 'hello' }],
        model: 'simulated-echo',
        application: 'Shop',
        intent: intent.action_type,
        return_evaluation: false,
      },
      chat_completion_response: { choices: [{ message: { role: 'assistant' as const, content: 'yes' } }] },
    };
    const items = Array.from({ length: count }, () => item);
    const stored = await this.platform.bus.call(completions.endpoints.storeCompletions, { items }, this.caller());
    return stored.map(({ request_id }) => request_id);
  }

  /** The sources of a monitor once so many are judged without an error. */
  judgedSources(monitor_id: number, count: number, limitMs = 60_000): Promise<string[]> {
    const check = async (): Promise<string[] | null> => {
      const { rows } = await this.platform.sql.query<{ source_id: string }>(
        `SELECT source_id FROM monitors.monitor_runs WHERE company_id = $1 AND monitor_id = $2 AND outcome <> 'ERROR'`,
        [this.companyId, monitor_id],
      );
      return rows.length >= count ? rows.map(({ source_id }) => source_id) : null;
    };
    return eventually(`${count} judged sources`, check, limitMs);
  }

  /** The runs of a monitor, newest first. */
  async runs(monitor_id: number, change: object = {}): Promise<ListedMonitorRun[]> {
    const page = await this.platform.bus.call(
      monitorRuns.endpoints.listMonitorRuns,
      { ...PAGE, limit: 100, monitor_id, include_body: true, ...change },
      this.caller(),
    );
    return page.data;
  }

  /** The runs of a monitor once there are so many. */
  judged(monitor_id: number, count: number): Promise<ListedMonitorRun[]> {
    return eventually(`${count} judged sources`, async () => {
      const runs = await this.runs(monitor_id);
      return runs.length >= count ? runs : null;
    });
  }

  /** The same, with the pauses between the tries of a judgement left out. */
  judgedWithoutPauses(monitor_id: number, count: number): Promise<ListedMonitorRun[]> {
    return eventually(`${count} judged sources`, async () => {
      await this.platform.sql.query(
        'UPDATE monitors.work SET due_at = now() WHERE done_at IS NULL AND lease_owner IS NULL AND due_at > now()',
      );
      const runs = await this.runs(monitor_id);
      return runs.length >= count ? runs : null;
    });
  }

  /** A published, active monitor of one target. */
  async watching(target_type: TargetType, target_id: number, change: Partial<NewMonitor> = {}): Promise<Monitor> {
    const { id } = await this.monitor(change);
    await this.attach(id, target_type, target_id);
    await this.publish(id);
    return this.activate(id);
  }

  /** Names of the events about one resource, in the order of the outbox. */
  async events(type: string, id: number): Promise<string[]> {
    return (await eventsAbout(this, 'monitors', type, id)).map(({ event }) => event);
  }

  /** Actions of the audit entries about one resource. */
  async audits(type: string, id: number): Promise<string[]> {
    return (await auditsAbout(this, 'monitors', type, id)).map(({ action }) => action);
  }
}
