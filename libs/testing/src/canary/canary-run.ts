import { freePort } from '@signalbox/servers';
import { RawClient } from '../conformance/raw-client.js';
import { ConformanceFixtures } from '../conformance/fixtures.js';
import { Platform, timeScale } from '../platform/platform.js';
import { type HttpTarget, startHttpTarget } from '../fakes/http-target.js';
import { type OtlpCollector, startOtlpCollector } from '../fakes/otlp-collector.js';
import { type ModelProvider, startModelProvider } from '../fakes/model-provider.js';
import { CanaryAgents, canaryModel, SECRET_NAMES, type Secrets } from './families/canary-agents.js';
import type { CanaryCase, CanaryContext } from './canary-cases.js';
import { CanaryReadings, SERVICES } from './canary-readings.js';
import { CanaryDrivenRuns } from './families/canary-driven-runs.js';
import { CanaryJudges } from './families/canary-judges.js';
import { CanaryTasks } from './families/canary-tasks.js';
import { CanaryTraining } from './families/canary-training.js';
import { CanaryWebhooks } from './families/canary-webhooks.js';
import { CanaryWorkflows } from './families/canary-workflows.js';
import { SearchingClient } from './searching-client.js';
import { CanarySearch } from './families/canary-search.js';
import { CanaryTarget, receivedBy } from './canary-target.js';
import { Canaries } from './canaries.js';

/** A platform whose agents use canaries as secrets, and the search of everything that may have stored one. */
export class CanaryRun {
  readonly canaries = new Canaries();
  readonly observed = new CanarySearch(this.canaries.encodings());
  private readonly expected: string[] = [];
  private readonly client: SearchingClient;
  private readonly tasks: CanaryTasks;
  private readonly readings: CanaryReadings;
  private readonly workflows: CanaryWorkflows;
  private readonly judges: CanaryJudges;
  private readonly testRuns: CanaryDrivenRuns;
  private readonly training: CanaryTraining;
  private readonly webhooks: CanaryWebhooks;
  private readonly providerSecrets: { apiKey: string; header: string };

  private constructor(
    readonly platform: Platform,
    readonly target: HttpTarget,
    private readonly model: ModelProvider,
    private readonly collector: OtlpCollector,
    healthPorts: readonly number[],
    company: { companyId: number; key: string },
  ) {
    const rawClient = new RawClient(platform.baseUrl);
    this.client = new SearchingClient(rawClient, company.key, this.observed);
    const fixtures = new ConformanceFixtures(rawClient, company.companyId, company.key);
    const agents = new CanaryAgents(fixtures, target, model);
    this.tasks = new CanaryTasks(this.context, agents, (of) => this.secrets(of));
    this.readings = new CanaryReadings(this.context, this.observed, collector, healthPorts);
    this.workflows = new CanaryWorkflows(this.context, fixtures, () => this.secrets({ expected: true }));
    const next = () => this.secrets({ expected: true });
    this.judges = new CanaryJudges(this.context, fixtures, agents, model, {
      next,
      key: this.canaries.next(),
    });
    this.testRuns = new CanaryDrivenRuns(this.context, fixtures);
    this.providerSecrets = { apiKey: this.canaries.next(), header: this.canaries.next() };
    this.training = new CanaryTraining(this.context, fixtures, this.providerSecrets);
    this.webhooks = new CanaryWebhooks(this.context, fixtures);
    target.answerWith(new CanaryTarget(this.client).answer);
  }

  static async start(): Promise<CanaryRun> {
    const [model, target, collector] = await Promise.all([
      startModelProvider({ script: canaryModel }),
      startHttpTarget(),
      startOtlpCollector(),
    ]);
    const env = {
      EGRESS_ALLOW: '127.0.0.1/32',
      // The first script of a process is compiled within the deadline of its call.
      INVOKE_TIMEOUT_SECONDS: String(Math.ceil(10 * timeScale())),
      LOG_LEVEL: 'trace',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '1000',
    };
    const measured = ['agents', 'gateway'];
    const others = SERVICES.filter((name) => !measured.includes(name));
    const platform = await Platform.start({ services: [...others, 'runner'], env });
    const healthPorts: number[] = [];
    for (const name of measured) {
      const port = await freePort();
      healthPorts.push(port);
      await platform.startService(name, name, { HEALTH_PORT: String(port) });
    }
    return new CanaryRun(platform, target, model, collector, healthPorts, await platform.company());
  }

  async stop(): Promise<void> {
    await this.platform.stop();
    await Promise.all([this.model, this.target, this.collector, this.training].map((each) => each.close()));
  }

  async run(): Promise<void> {
    await this.webhooks.start();
    await this.tasks.run();
    await this.workflows.run();
    // Tasks and runs of killed processes end with the same wait.
    await Promise.all([this.tasks.runUntilKilled(), this.workflows.runUntilKilled()]);
    await this.workflows.readLists();
    await this.judges.run();
    const first = await this.tasks.first();
    // The agent whose task becomes an item of a test set is tested with separate secrets.
    if (first) await this.testRuns.run(first.agent, first.task, first.secrets());
    await this.training.run();
    await this.webhooks.read();
    for (const call of this.model.calls) this.observed.text('models', 'a prompt', JSON.stringify(call.body));
    await this.readings.read();
  }

  get endings(): Readonly<Record<string, string[]>> {
    return this.tasks.endings;
  }

  /** Values that a target should have received and did not. */
  notReceived(): string[] {
    const received = [...this.target.calls.map(receivedBy), this.training.received()].join('\n');
    return [...this.expected, ...Object.values(this.providerSecrets)].filter((value) => !received.includes(value));
  }

  get surprises(): readonly string[] {
    return [this.workflows, this.testRuns, this.training, this.webhooks].flatMap(({ surprises }) => surprises);
  }

  get verdicts(): Readonly<Record<string, string[]>> {
    return this.judges.verdicts;
  }

  async searchStorage(): Promise<CanarySearch> {
    const search = new CanarySearch([...this.canaries.encodings(), ...this.webhooks.encodings()]);
    await this.platform.sql.query('CHECKPOINT');
    await search.dump(this.platform.sql);
    await search.tree(this.platform.servers.dir);
    return search;
  }

  private get context(): CanaryContext {
    return { platform: this.platform, target: this.target, client: this.client };
  }

  private secrets({ expected }: Pick<CanaryCase, 'expected'>): Secrets {
    const secrets = Object.fromEntries(SECRET_NAMES.map((name) => [name, this.canaries.next()])) as Secrets;
    if (expected) this.expected.push(...Object.values(secrets));
    return secrets;
  }
}
