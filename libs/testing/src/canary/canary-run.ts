import { randomBytes } from 'node:crypto';
import {
  agents,
  agentSessions,
  auditLog,
  datasets,
  monitorRuns,
  requests,
  tasks,
  testRuns,
  testSets,
  workflowRuns,
} from '@signalbox/contracts';
import { freePort } from '@signalbox/servers';
import { RawClient } from '../conformance/raw-client.js';
import { ConformanceFixtures } from '../conformance/fixtures.js';
import { eventually, Platform } from '../platform/platform.js';
import { type HttpTarget, startHttpTarget } from '../fakes/http-target.js';
import { type OtlpCollector, startOtlpCollector } from '../fakes/otlp-collector.js';
import { type ModelProvider, startModelProvider } from '../fakes/model-provider.js';
import { CanaryAgents, canaryModel, SECRET_NAMES, type Secrets } from './families/canary-agents.js';
import { type CanaryContext, CASES, type CanaryCase, type CanaryTask, KILLED } from './canary-cases.js';
import { CanaryDrivenRuns } from './families/canary-driven-runs.js';
import { CanaryJudges } from './families/canary-judges.js';
import { CanaryTraining } from './families/canary-training.js';
import { CanaryWebhooks } from './families/canary-webhooks.js';
import { CanaryWorkflows } from './families/canary-workflows.js';
import { SearchingClient } from './searching-client.js';
import { CanarySearch } from './families/canary-search.js';
import { CanaryTarget, receivedBy } from './canary-target.js';
import { Canaries } from './canaries.js';

const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED'];
const WORKERS = 6;
/** The services that see a secret or its place, each with an export of spans. */
const SERVICES = ['gateway', 'accounts', 'traffic', 'agents', 'workflows', 'monitors', 'training', 'test-runs'];

/** A platform whose agents use canaries as secrets, and the search of everything that may have stored one. */
export class CanaryRun {
  readonly canaries = new Canaries();
  /** The search of everything the platform sent during the run. */
  readonly observed = new CanarySearch(this.canaries.encodings());
  /** Outcomes of the invocations, by case. */
  readonly endings: Record<string, string[]> = {};
  private readonly expected: string[] = [];
  private readonly client: SearchingClient;
  private readonly agentFactory: CanaryAgents;
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
    private readonly healthPort: number,
    company: { companyId: number; key: string },
  ) {
    const rawClient = new RawClient(platform.baseUrl);
    this.client = new SearchingClient(rawClient, company.key, this.observed);
    const fixtures = new ConformanceFixtures(rawClient, company.companyId, company.key);
    this.agentFactory = new CanaryAgents(fixtures, target, model);
    this.workflows = new CanaryWorkflows(this.context, fixtures, () => this.secrets({ expected: true }));
    const next = () => this.secrets({ expected: true });
    this.judges = new CanaryJudges(this.context, fixtures, this.agentFactory, model, {
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
      INVOKE_TIMEOUT_SECONDS: '10',
      LOG_LEVEL: 'trace',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '200',
    };
    const platform = await Platform.start({ services: [...SERVICES, 'runner'], env });
    await platform.service('agents').kill('SIGTERM');
    const healthPort = await freePort();
    await platform.startService('agents', 'agents', { HEALTH_PORT: String(healthPort) });
    return new CanaryRun(platform, target, model, collector, healthPort, await platform.company());
  }

  async stop(): Promise<void> {
    await this.platform.stop();
    await Promise.all([this.model, this.target, this.collector, this.training].map((each) => each.close()));
  }

  /** Runs every case. */
  async run(): Promise<void> {
    await this.webhooks.start();
    const tasks = CASES.flatMap((each) => Array.from({ length: each.times }, () => each));
    const worker = async (): Promise<void> => {
      for (let next = tasks.pop(); next; next = tasks.pop()) await this.one(next);
    };
    await Promise.all(Array.from({ length: WORKERS }, worker));
    await this.runUntilKilled();
    await this.workflows.run();
    await this.judges.run();
    await this.runTests();
    await this.training.run();
    await this.webhooks.read();
    for (const call of this.model.calls) this.observed.text('models', 'a prompt', JSON.stringify(call.body));
    await this.readEverything();
    await this.readSpans();
  }

  /** Values that a target should have received and did not. */
  notReceived(): string[] {
    const received = [...this.target.calls.map(receivedBy), this.training.received()].join('\n');
    return [...this.expected, ...Object.values(this.providerSecrets)].filter((value) => !received.includes(value));
  }

  /** What ended otherwise than it should. */
  get surprises(): readonly string[] {
    return [this.workflows, this.testRuns, this.training, this.webhooks].flatMap(({ surprises }) => surprises);
  }

  /** Outcomes of judges, by what judged. */
  get verdicts(): Readonly<Record<string, string[]>> {
    return this.judges.verdicts;
  }

  /** Searches the platform's storage: tables, files of Postgres and NATS, logs, objects. */
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

  /** The agent whose task becomes an item of a test set is tested with separate secrets. */
  private async runTests(): Promise<void> {
    const [bearer] = CASES;
    if (!bearer) return;
    const agent = await this.agentFactory.make(bearer);
    const task = await bearer.run(this.context, agent, this.secrets(bearer));
    if (!task) return;
    await this.endOf(task);
    await this.testRuns.run(agent, task, this.secrets(bearer));
  }

  private async one(canaryCase: CanaryCase): Promise<void> {
    const agent = await this.agentFactory.make(canaryCase);
    const task = await canaryCase.run(this.context, agent, this.secrets(canaryCase));
    this.record(canaryCase, task ? await this.endOf(task) : 'no task');
  }

  private record({ name }: CanaryCase, ending: string): void {
    this.endings[name] = [...(this.endings[name] ?? []), ending];
  }

  private async endOf({ agentId, taskId }: CanaryTask, limitMs = 60_000): Promise<string> {
    const ended = async (): Promise<string | null> => {
      const reply = await this.client.send(tasks.endpoints.getTask, {
        agent_id: agentId,
        task_id: taskId,
        wait_seconds: 1,
      });
      const { data } = JSON.parse(reply.text) as { data?: { status: string; error_code: string | null } };
      return data && ENDED.includes(data.status) ? [data.status, data.error_code].filter(Boolean).join(' ') : null;
    };
    const how = await eventually(`task ${taskId} ends`, ended, limitMs);
    const path = { agent_id: agentId, task_id: taskId };
    await this.client.send(tasks.endpoints.streamTask, path);
    await this.client.send(tasks.endpoints.listTaskTimeline, { ...path, limit: 100 });
    await this.client.send(tasks.endpoints.listTasks, { agent_id: agentId, include_body: true });
    await this.client.send(agentSessions.endpoints.listAgentSessions, { agent_id: agentId });
    return how;
  }

  private async runUntilKilled(): Promise<void> {
    const canaryCase = await Promise.all(
      Array.from({ length: KILLED.times }, async () => {
        const secrets = this.secrets(KILLED);
        const task = await KILLED.run(this.context, await this.agentFactory.make(KILLED), secrets);
        const received = () => this.target.calls.some((call) => receivedBy(call).includes(secrets.TOKEN));
        await eventually('the target receives the secrets', received);
        return task;
      }),
    );
    const agents = this.platform.service('agents');
    await agents.kill('SIGKILL');
    await agents.start();
    for (const task of canaryCase) this.record(KILLED, task ? await this.endOf(task) : 'no task');
  }

  /** Spans are exported in order, so those of a last call are the end of a process's export. */
  private async readSpans(): Promise<void> {
    const traceId = randomBytes(16).toString('hex');
    const how = { traceparent: `00-${traceId}-${'1'.repeat(16)}-01` };
    for (const last of [
      agents.endpoints.listAgents,
      requests.endpoints.listRequests,
      auditLog.endpoints.listAuditEntries,
      workflowRuns.endpoints.listAllRuns,
      monitorRuns.endpoints.listAllMonitorRuns,
      testRuns.endpoints.listTestRuns,
      datasets.endpoints.listDatasets,
      testSets.endpoints.listTestSets,
    ])
      await this.client.send(last, {}, how);
    await eventually('every process has exported its spans', () => {
      const last = this.collector.spans.filter((span) => span.traceId === traceId);
      return SERVICES.every((name) => last.some(({ service }) => service === `signalbox-${name}`));
    });
    this.collector.bodies.forEach(({ bytes }, at) => this.observed.bytes('spans', `export ${at}`, bytes));
  }

  private async readEverything(): Promise<void> {
    for (let offset = 0; ; offset += 100) {
      const page = await this.client.get<{ id: string }[]>(requests.endpoints.listRequests, { limit: 100, offset });
      for (const { id } of page) await this.client.send(requests.endpoints.getRequest, { request_id: id });
      if (page.length < 100) break;
    }
    await this.client.send(auditLog.endpoints.listAuditEntries, { limit: 100 });
    for (const port of [this.platform.port, this.healthPort]) {
      const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
      this.observed.text('metrics', `port ${port}`, await metrics.text());
    }
  }
}
