import {
  type Agent,
  agents,
  applications,
  type InputOf,
  models,
  type Page,
  providers,
  type ResetTestRun,
  type RunItem,
  type RunItemSummary,
  type ScoreSummary,
  type TestRun,
  testRuns,
} from '@signalbox/contracts';
import { eventually, type ModelProvider, Platform, startModelProvider } from '@signalbox/testing';
import { PAGE, World } from './world.js';

const { endpoints } = testRuns;
type NewRun = InputOf<typeof endpoints.createTestRun>;

/** A platform that can execute test runs, with a model provider outside. */
export class RunWorld {
  private constructor(
    readonly platform: Platform,
    readonly provider: ModelProvider,
  ) {}

  static async start(): Promise<RunWorld> {
    const [provider, platform] = await Promise.all([
      startModelProvider(),
      Platform.shared(['accounts', 'traffic', 'agents', 'workflows', 'runner', 'test-runs']),
    ]);
    return new RunWorld(platform, provider);
  }

  async stop(): Promise<void> {
    await this.platform.stop();
    await this.provider.close();
  }

  async company(): Promise<RunCompany> {
    const world = await World.make(this.platform);
    const { bus } = this.platform;
    const provider = await bus.call(
      providers.endpoints.createProvider,
      {
        provider_name: 'outside',
        kind: 'openai_compatible',
        base_url: this.provider.url,
        api_key: 'sk-anything',
        default_headers: {},
        timeout_ms: 20_000,
        status: 'ENABLED',
      },
      world.caller(),
    );
    const model = await bus.call(
      models.endpoints.createModel,
      {
        model_name: 'm',
        provider_id: provider.id,
        supports_tools: true,
        supports_json_schema: true,
        trainable: false,
        status: 'ENABLED',
      },
      world.caller(),
    );
    return new RunCompany(this, world, model.id);
  }
}

/** A company with a model `m`, and short ways to its runs. */
export class RunCompany {
  constructor(
    readonly outside: RunWorld,
    readonly world: World,
    readonly modelId: number,
  ) {}

  private get bus() {
    return this.outside.platform.bus;
  }

  /** A set with an item for each question and its expected answer. */
  async set(name: string, items: Record<string, string | null>, criteria_ids: number[] = []): Promise<number> {
    const { id } = await this.world.set({ name, criteria_ids });
    for (const [question, answer] of Object.entries(items))
      await this.world.item(id, question, answer === null ? null : { text: answer });
    return id;
  }

  async agent(change: Partial<Agent> = {}): Promise<Agent> {
    const application = await this.bus.call(
      applications.endpoints.createApplication,
      { application_name: `App ${Math.random()}`, state: 'ENABLED', meta: {} },
      this.world.caller(),
    );
    const body = {
      application_id: application.id,
      agent_name: 'Helper',
      status: 'ENABLED' as const,
      execution_mode: 'reasoning' as const,
      model: 'm',
      agent_config: {},
      max_iterations: 3,
      meta: {},
      ...change,
    };
    return this.bus.call(agents.endpoints.createAgent, body as never, this.world.caller());
  }

  create(test_set_id: number, change: Partial<NewRun> = {}): Promise<TestRun> {
    const body: NewRun = {
      test_set_id,
      meta: {},
      consumer_kind: 'MODEL',
      consumer_config: { model: 'm' },
      auto_score: false,
      repeats: 1,
      ...change,
    };
    return this.bus.call(endpoints.createTestRun, body, this.world.caller());
  }

  get(id: number): Promise<TestRun> {
    return this.bus.call(endpoints.getTestRun, { id }, this.world.caller());
  }

  prepare(id: number) {
    return this.bus.call(endpoints.prepareTestRun, { id }, this.world.caller());
  }

  execute(id: number, concurrency = 4, secrets: Record<string, string> = {}): Promise<TestRun> {
    return this.bus.call(endpoints.executeTestRun, { id, concurrency, secrets }, this.world.caller());
  }

  progress(id: number) {
    return this.bus.call(endpoints.getTestRunProgress, { id }, this.world.caller());
  }

  score(id: number, criteria_ids?: number[]): Promise<ScoreSummary> {
    return this.bus.call(
      endpoints.scoreTestRun,
      { id, ...(criteria_ids ? { criteria_ids } : {}) },
      this.world.caller(),
    );
  }

  reset(id: number, classes?: InputOf<typeof endpoints.resetFailed>['classes']): Promise<ResetTestRun> {
    return this.bus.call(
      endpoints.resetFailed,
      { id, secrets: {}, ...(classes ? { classes } : {}) },
      this.world.caller(),
    );
  }

  cancel(id: number): Promise<TestRun> {
    return this.bus.call(endpoints.cancelTestRun, { id }, this.world.caller());
  }

  remove(id: number) {
    return this.bus.call(endpoints.deleteTestRun, { id }, this.world.caller());
  }

  items(id: number, change: Partial<InputOf<typeof endpoints.listRunItems>> = {}): Promise<Page<RunItemSummary>> {
    return this.bus.call(
      endpoints.listRunItems,
      { id, ...PAGE, limit: 100, sort: 'position', ...change },
      this.world.caller(),
    );
  }

  item(id: number, item_id: number): Promise<RunItem> {
    return this.bus.call(endpoints.getRunItem, { id, item_id }, this.world.caller());
  }

  /** Waits until a run is completed. */
  completed(id: number, limitMs = 60_000): Promise<TestRun> {
    const check = async () => {
      const run = await this.get(id);
      return run.status === 'COMPLETED' ? run : undefined;
    };
    return eventually(`run ${id} is completed`, check, limitMs);
  }

  /** Creates, prepares and executes a run, and waits for its end. */
  async run(setId: number, change: Partial<NewRun> = {}, concurrency = 4): Promise<TestRun> {
    const { id } = await this.create(setId, change);
    await this.prepare(id);
    await this.execute(id, concurrency);
    return this.completed(id);
  }
}
