import { randomBytes } from 'node:crypto';
import { agents, agentSessions, auditLog, requests, tasks } from '@signalbox/contracts';
import { freePort } from '@signalbox/servers';
import { Door } from '../conformance/door.js';
import { ConformanceFixtures } from '../conformance/world.js';
import { eventually, Platform } from '../platform/platform.js';
import { type HttpTarget, startHttpTarget } from '../fakes/http-target.js';
import { type OtlpCollector, startOtlpCollector } from '../fakes/otlp-collector.js';
import { type ModelProvider, startModelProvider } from '../fakes/model-provider.js';
import { CanaryAgents, canaryModel, SECRET_NAMES, type Secrets } from './canary-agents.js';
import { type Cage, CASES, type CanaryCase, type Flight, KILLED } from './canary-cases.js';
import { Ears } from './canary-ears.js';
import { CanarySearch } from './canary-search.js';
import { CanaryTarget, shownTo } from './canary-target.js';
import { Canaries } from './canaries.js';

const ENDED = ['COMPLETED', 'FAILED', 'CANCELLED'];
const LANES = 6;

/** A platform whose agents carry canaries, and everything that may have kept one. */
export class CanaryRun {
  readonly canaries = new Canaries();
  /** What was said by the platform while the canaries flew. */
  readonly heard = new CanarySearch(this.canaries.disguises());
  /** How invocations ended, by case. */
  readonly endings: Record<string, string[]> = {};
  private readonly due: string[] = [];
  private readonly ears: Ears;
  private readonly makers: CanaryAgents;

  private constructor(
    readonly platform: Platform,
    readonly target: HttpTarget,
    private readonly model: ModelProvider,
    private readonly collector: OtlpCollector,
    private readonly healthPort: number,
    company: { companyId: number; key: string },
  ) {
    const door = new Door(platform.baseUrl);
    this.ears = new Ears(door, company.key, this.heard);
    this.makers = new CanaryAgents(new ConformanceFixtures(door, company.companyId, company.key), target, model);
    target.answerWith(new CanaryTarget(this.ears).answer);
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
    const platform = await Platform.start({ services: ['gateway', 'accounts', 'traffic', 'agents'], env });
    await platform.service('agents').kill('SIGTERM');
    const healthPort = await freePort();
    await platform.startService('agents', 'agents', { HEALTH_PORT: String(healthPort) });
    return new CanaryRun(platform, target, model, collector, healthPort, await platform.company());
  }

  async stop(): Promise<void> {
    await this.platform.stop();
    await Promise.all([this.model, this.target, this.collector].map((each) => each.close()));
  }

  /** Uses secrets in every way there is. */
  async fly(): Promise<void> {
    const flights = CASES.flatMap((each) => Array.from({ length: each.times }, () => each));
    const lane = async (): Promise<void> => {
      for (let next = flights.pop(); next; next = flights.pop()) await this.one(next);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    await this.flyUntilKilled();
    for (const call of this.model.calls) this.heard.text('models', 'a prompt', JSON.stringify(call.body));
    await this.readEverything();
    await this.readSpans();
  }

  /** Values that a target should have been shown and was not. */
  unseen(): string[] {
    const shown = this.target.calls.map(shownTo).join('\n');
    return this.due.filter((value) => !shown.includes(value));
  }

  /** Everything the platform keeps: tables, files of Postgres and NATS, logs, objects. */
  async kept(): Promise<CanarySearch> {
    const search = new CanarySearch(this.canaries.disguises());
    await this.platform.sql.query('CHECKPOINT');
    await search.dump(this.platform.sql);
    await search.tree(this.platform.servers.dir);
    return search;
  }

  private get cage(): Cage {
    return { platform: this.platform, target: this.target, ears: this.ears };
  }

  private secrets({ due }: CanaryCase): Secrets {
    const secrets = Object.fromEntries(SECRET_NAMES.map((name) => [name, this.canaries.next()])) as Secrets;
    if (due) this.due.push(...Object.values(secrets));
    return secrets;
  }

  private async one(flown: CanaryCase): Promise<void> {
    const agent = await this.makers.make(flown);
    const flight = await flown.fly(this.cage, agent, this.secrets(flown));
    this.note(flown, flight ? await this.endOf(flight) : 'no task');
  }

  private note({ name }: CanaryCase, ending: string): void {
    this.endings[name] = [...(this.endings[name] ?? []), ending];
  }

  private async endOf({ agentId, taskId }: Flight, limitMs = 60_000): Promise<string> {
    const ended = async (): Promise<string | null> => {
      const reply = await this.ears.send(tasks.endpoints.getTask, {
        agent_id: agentId,
        task_id: taskId,
        wait_seconds: 1,
      });
      const { data } = JSON.parse(reply.text) as { data?: { status: string; error_code: string | null } };
      return data && ENDED.includes(data.status) ? [data.status, data.error_code].filter(Boolean).join(' ') : null;
    };
    const how = await eventually(`task ${taskId} ends`, ended, limitMs);
    const path = { agent_id: agentId, task_id: taskId };
    await this.ears.send(tasks.endpoints.streamTask, path);
    await this.ears.send(tasks.endpoints.listTaskTimeline, { ...path, limit: 100 });
    await this.ears.send(tasks.endpoints.listTasks, { agent_id: agentId, include_body: true });
    await this.ears.send(agentSessions.endpoints.listAgentSessions, { agent_id: agentId });
    return how;
  }

  private async flyUntilKilled(): Promise<void> {
    const flown = await Promise.all(
      Array.from({ length: KILLED.times }, async () => {
        const secrets = this.secrets(KILLED);
        const flight = await KILLED.fly(this.cage, await this.makers.make(KILLED), secrets);
        const shown = () => this.target.calls.some((call) => shownTo(call).includes(secrets.TOKEN));
        await eventually('the target is shown the secrets', shown);
        return flight;
      }),
    );
    const agents = this.platform.service('agents');
    await agents.kill('SIGKILL');
    await agents.start();
    for (const flight of flown) this.note(KILLED, flight ? await this.endOf(flight) : 'no task');
  }

  /** Spans arrive in their order, so those of a last call are the end of what a process has exported. */
  private async readSpans(): Promise<void> {
    const traceId = randomBytes(16).toString('hex');
    const how = { traceparent: `00-${traceId}-${'1'.repeat(16)}-01` };
    for (const last of [
      agents.endpoints.listAgents,
      requests.endpoints.listRequests,
      auditLog.endpoints.listAuditEntries,
    ])
      await this.ears.send(last, {}, how);
    await eventually('every process has exported its spans', () => {
      const last = this.collector.spans.filter((span) => span.traceId === traceId);
      return ['gateway', 'agents', 'traffic', 'accounts'].every((name) =>
        last.some(({ service }) => service === `signalbox-${name}`),
      );
    });
    this.collector.bodies.forEach(({ bytes }, at) => this.heard.bytes('spans', `export ${at}`, bytes));
  }

  private async readEverything(): Promise<void> {
    for (let offset = 0; ; offset += 100) {
      const page = await this.ears.get<{ id: string }[]>(requests.endpoints.listRequests, { limit: 100, offset });
      for (const { id } of page) await this.ears.send(requests.endpoints.getRequest, { request_id: id });
      if (page.length < 100) break;
    }
    await this.ears.send(auditLog.endpoints.listAuditEntries, { limit: 100 });
    for (const port of [this.platform.port, this.healthPort]) {
      const metrics = await fetch(`http://127.0.0.1:${port}/metrics`);
      this.heard.text('metrics', `port ${port}`, await metrics.text());
    }
  }
}
