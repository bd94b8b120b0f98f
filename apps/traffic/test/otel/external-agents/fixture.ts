import { readFileSync } from 'node:fs';
import { type Agent, agents, ApiError, applications, models, providers, type Task, tasks } from '@signalbox/contracts';
import { eventually, Platform } from '@signalbox/testing';
import { Exporter, exportOf, type SentSpan, span, traceId } from '../otel-client.js';

export const PAGE = { offset: 0, limit: 100, sort: '-id' };
/** A trace is closed ten seconds after its last span. */
export const CLOSED_MS = 60_000;

export let platform: Platform;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'monitors', 'test-runs', 'gateway']);
}, 120_000);
afterAll(() => platform.stop());

/** A company whose agents run elsewhere. */
export class Company {
  private constructor(
    readonly id: number,
    readonly exporter: Exporter,
  ) {}

  static async make(): Promise<Company> {
    const { companyId } = await platform.company();
    return new Company(companyId, await Exporter.of(platform, companyId));
  }

  get caller() {
    return platform.caller(this.id);
  }

  async send(spans: readonly object[], resource?: Record<string, unknown>): Promise<void> {
    expect((await this.exporter.json(exportOf(spans, resource))).json()).toEqual({ partialSuccess: {} });
  }

  agents(filter: Partial<{ kind: Agent['kind'][] }> = {}) {
    return platform.bus.call(agents.endpoints.listAgents, { ...PAGE, ...filter }, this.caller);
  }

  async tasks(): Promise<Task[]> {
    const listed = await platform.bus.call(
      tasks.endpoints.listAllTasks,
      { ...PAGE, include_body: true } as never,
      this.caller,
    );
    return listed.data as Task[];
  }

  /** The tasks of the company once so many have ended. */
  async ended(count: number): Promise<Task[]> {
    let found: Task[] = [];
    await eventually(
      `${count} tasks have ended`,
      async () => {
        const all = await this.tasks().catch(noneWhileDown);
        found = all.filter(({ status }) => status === 'COMPLETED' || status === 'FAILED');
        return found.length >= count;
      },
      CLOSED_MS,
    );
    return found;
  }

  async application(application_name: string): Promise<number> {
    const body = { application_name, state: 'ENABLED' as const, meta: {} };
    return (await platform.bus.call(applications.endpoints.createApplication, body, this.caller)).id;
  }

  async model(model_name: string, prices: object): Promise<void> {
    const connection = { provider_name: model_name, kind: 'openai_compatible', base_url: 'https://models.example/v1' };
    const { id: provider_id } = await platform.bus.call(
      providers.endpoints.createProvider,
      { ...connection, api_key: 'none', default_headers: {}, timeout_ms: 60_000, status: 'ENABLED' } as never,
      this.caller,
    );
    const model = { model_name, provider_id, supports_tools: true, supports_json_schema: true, trainable: false };
    await platform.bus.call(
      models.endpoints.createModel,
      { ...model, status: 'ENABLED', ...prices } as never,
      this.caller,
    );
  }

  agent(application_id: number, agent_name: string, kind: Agent['kind']): Promise<Agent> {
    const body = { application_id, agent_name, kind, status: 'ENABLED', execution_mode: 'reasoning' } as const;
    const more = { agent_config: {}, max_iterations: 10, meta: {} };
    return platform.bus.call(agents.endpoints.createAgent, { ...body, ...more }, this.caller);
  }
}

/** A recorded export under a new trace id, as if it had just happened. */
export function recorded(name: string): string {
  const text = readFileSync(new URL(`../../../../test/otel/fixtures/${name}.json`, import.meta.url), 'utf8');
  const old = /"traceId": "([0-9a-f]{32})"/.exec(text)?.[1] ?? '';
  const times = [...text.matchAll(/"(?:start|end)TimeUnixNano": "(\d+)"/g)].map(([, time]) => BigInt(time ?? 0));
  const last = times.reduce((a, b) => (a > b ? a : b));
  const shift = BigInt(Date.now()) * 1_000_000n - last;
  return text
    .replaceAll(old, traceId())
    .replace(
      /"(\w*[tT]imeUnixNano)": "(\d+)"/g,
      (_, field: string, time: string) => `"${field}": "${BigInt(time) + shift}"`,
    );
}

export const ASKED = 'Where is it?';
export const SAID = 'On its way.';

/** The spans of one answer of an agent: the agent, a call of a model, a tool. */
export function answer(trace: string, more: Record<string, unknown> = {}): [SentSpan, SentSpan, SentSpan] {
  const root = span({
    traceId: trace,
    name: 'invoke_agent helper',
    attributes: { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'helper', ...more },
  });
  const call = span({
    traceId: trace,
    parentSpanId: root.spanId,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'simulated-echo',
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
      'gen_ai.usage.cost': 0.25,
      'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: ASKED }] }]),
      'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: SAID }] }]),
    },
  });
  const tool = span({
    traceId: trace,
    parentSpanId: root.spanId,
    attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look_up' },
  });
  return [root, call, tool];
}

/** A process that stores many megabytes is silent for seconds on a slow machine. */
function noneWhileDown(error: unknown): never[] {
  if (error instanceof ApiError && error.kind === 'unavailable') return [];
  throw error;
}
