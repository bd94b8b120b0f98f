import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { apiKeys, agents, models, providers, requests, type Task, tasks } from '@signalbox/contracts';
import {
  eventually,
  type ModelProvider,
  type ModelReply,
  type ModelRequest,
  Platform,
  ROOT,
  startModelProvider,
  type TestCompany,
} from '@signalbox/testing';

const run = promisify(execFile);
const PAGE = { offset: 0, limit: 100, sort: 'id' };
const QUESTION = 'Where is order 7?';
const ANSWER = 'Order 7 is on its way.';
/** A trace is closed ten seconds after its last span. */
const CLOSED_MS = 60_000;

/** Calls each tool once, then answers. */
function reply({ tools, messages }: ModelRequest): ModelReply {
  const called = JSON.stringify(messages.map(({ tool_calls }) => tool_calls));
  const names = ((tools ?? []) as { function: { name: string } }[]).map((tool) => tool.function.name);
  const name = names.find((each) => !called.includes(each));
  if (name === undefined) return ANSWER;
  return { toolCalls: [{ name, arguments: name === 'look_up' ? { order: '7' } : {} }] };
}

let provider: ModelProvider;
let platform: Platform;
beforeAll(async () => {
  provider = await startModelProvider({ script: reply });
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'gateway']);
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await provider.close();
});

/** A company with a model, whose calls go through the gateway, and programs that send their traces. */
class Company {
  private constructor(
    private readonly company: TestCompany,
    private readonly ingestKey: string,
  ) {}

  static async make(): Promise<Company> {
    const company = await platform.company();
    const caller = platform.caller(company.companyId);
    const connection = { provider_name: 'outside', kind: 'openai_compatible', base_url: provider.url, api_key: 'none' };
    const made = await platform.bus.call(
      providers.endpoints.createProvider,
      { ...connection, default_headers: {}, timeout_ms: 60_000, status: 'ENABLED' } as never,
      caller,
    );
    const model = { model_name: 'm', provider_id: made.id, supports_tools: true, supports_json_schema: true };
    await platform.bus.call(
      models.endpoints.createModel,
      { ...model, trainable: false, status: 'ENABLED', input_price_per_mtok: 1, output_price_per_mtok: 2 } as never,
      caller,
    );
    const input = { name: 'exporter', scopes: ['ingest' as const] };
    const { key } = await platform.bus.call(apiKeys.endpoints.createApiKey, input, caller);
    return new Company(company, key ?? '');
  }

  private get caller() {
    return platform.caller(this.company.companyId);
  }

  /** Runs a program of `test/emitters` with nothing but variables that its libraries document; resolves to its output. */
  async run(program: string, more: Record<string, string>): Promise<string> {
    const { stdout } = await run(process.execPath, [join(ROOT, 'test/emitters', program), QUESTION], {
      env: {
        PATH: process.env.PATH,
        OTEL_EXPORTER_OTLP_ENDPOINT: platform.baseUrl.replace(/\/api\/v1$/, '/otel'),
        OTEL_EXPORTER_OTLP_HEADERS: `x-service-api-key=${this.ingestKey}`,
        OTEL_RESOURCE_ATTRIBUTES: 'service.version=1.4.0,deployment.environment.name=Production%20EU',
        OPENAI_BASE_URL: platform.baseUrl,
        OPENAI_API_KEY: this.company.key,
        MODEL: 'm',
        ...more,
      },
    });
    return stdout.trim();
  }

  async agents() {
    const filter = { ...PAGE, kind: ['EXTERNAL' as const] };
    return (await platform.bus.call(agents.endpoints.listAgents, filter, this.caller)).data;
  }

  /** The tasks of the company, the oldest first, once so many have ended. */
  async ended(count: number): Promise<Task[]> {
    const input = { ...PAGE, sort: 'date_created', include_body: true } as never;
    let found: Task[] = [];
    await eventually(
      `${count} tasks have ended`,
      async () => {
        found = (await platform.bus.call(tasks.endpoints.listAllTasks, input, this.caller)).data as Task[];
        return found.length === count && found.every(({ status }) => status === 'COMPLETED');
      },
      CLOSED_MS,
    );
    return found;
  }

  async timelineOf({ agent_id, id }: Task): Promise<string[]> {
    const input = { ...PAGE, agent_id, task_id: id } as never;
    const { data } = await platform.bus.call(tasks.endpoints.listTaskTimeline, input, this.caller);
    return data.map(({ type }) => type);
  }

  /** The requests that traces have brought, once there are so many. */
  async recorded(count: number) {
    const search = { ...PAGE, sort: '-date_created', include_body: true, origin: 'EXTERNAL' } as never;
    const found = async () => (await platform.bus.call(requests.endpoints.searchRequests, search, this.caller)).data;
    await eventually(`${count} requests are recorded`, async () => (await found()).length === count, CLOSED_MS);
    return found();
  }
}

const MODEL_AND_TOOL = ['model_called', 'model_answered', 'action_invoked', 'action_result'];

describe.each([
  ['the Vercel AI SDK', { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' }],
  [
    'the Vercel AI SDK with the spans of its former releases',
    { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json', LEGACY: '1' },
  ],
])('%s', (_, environment) => {
  it('is watched as it is: its agent with version and release, what it was asked, did and answered, and its cost', async () => {
    const company = await Company.make();
    expect(await company.run('vercel-ai.mjs', { OTEL_SERVICE_NAME: 'shop', ...environment })).toBe(ANSWER);
    const [task] = (await company.ended(1)) as [Task];
    expect(await company.agents()).toMatchObject([
      { id: task.agent_id, agent_name: 'order-agent', application_name: 'shop', latest_version: '1.4.0' },
    ]);
    expect(task).toMatchObject({
      trigger: 'EXTERNAL',
      version: '1.4.0',
      release: 'production-eu',
      iterations: 2,
      input_messages: [{ role: 'user', content: QUESTION }],
      output: { role: 'assistant', content: ANSWER },
    });
    expect(task.usage.cost).toBeGreaterThan(0);
    expect(await company.timelineOf(task)).toEqual(expect.arrayContaining(MODEL_AND_TOOL));
    const calls = await company.recorded(2);
    expect(calls).toMatchObject([1, 2].map(() => ({ origin_id: task.id, model: 'm', request_type: 'PROD' })));
    expect(JSON.stringify(calls)).toContain('You look orders up.');
  }, 120_000);
});

describe('the OpenAI Agents SDK', () => {
  it('is watched as it is: both agents of a handover, each with its calls', async () => {
    const company = await Company.make();
    const environment = { OTEL_SERVICE_NAME: 'order-desk', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' };
    expect(await company.run('openai-agents.mjs', environment)).toBe(ANSWER);
    const found = await company.ended(2);
    const triage = found.find(({ parent_task_id }) => parent_task_id === null)!;
    const courier = found.find(({ parent_task_id }) => parent_task_id !== null)!;
    expect((await company.agents()).map(({ id, agent_name }) => [agent_name, id])).toEqual(
      expect.arrayContaining([
        ['triage', triage.agent_id],
        ['courier', courier.agent_id],
      ]),
    );
    const input_messages = [{ role: 'user', content: QUESTION }];
    expect(triage).toMatchObject({ iterations: 1, input_messages, output: { content: ANSWER }, version: '1.4.0' });
    expect(courier).toMatchObject({ iterations: 2, parent_task_id: triage.id, output: { content: ANSWER } });
    expect(await company.timelineOf(courier)).toEqual(expect.arrayContaining(MODEL_AND_TOOL));
    const origins = (await company.recorded(3)).map(({ origin_id }) => origin_id).sort();
    expect(origins).toEqual([triage.id, courier.id, courier.id].sort());
  }, 120_000);
});
