import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  agents,
  agentVersions,
  apiKeys,
  applications,
  evaluatedRuns,
  type RunItem,
  testRuns,
  testSetItems,
  testSets,
} from '@signalbox/contracts';
import {
  type HttpTarget,
  Platform,
  startHttpTarget,
  type TargetReply,
  type TargetScript,
  type TestCompany,
} from '@signalbox/testing';
import { REPOSITORY } from '../../src/launcher/services.js';

export let platform: Platform;
export let company: TestCompany;
export let program: HttpTarget;
export let folder: string;
export let agentId: number;
export let setId: number;
let ingestKey: string;

type Values = Record<string, string>;

/** Sends spans below the span of this platform that has caused them; the first is that of the agent. */
export async function send(traceparent: string, spans: readonly { id: string; values: Values }[]): Promise<void> {
  const [, traceId = '', caller = ''] = traceparent.split('-');
  const now = `${Date.now()}000000`;
  const sent = spans.map(({ id, values }) => ({
    ...{ traceId, spanId: id, parentSpanId: id === AGENT_SPAN ? caller : AGENT_SPAN, name: 'answer', kind: 1 },
    ...{ startTimeUnixNano: now, endTimeUnixNano: now },
    attributes: Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } })),
  }));
  await fetch(new URL('/otel/v1/traces', platform.baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-api-key': ingestKey },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: sent }] }] }),
  });
}

const AGENT_SPAN = 'ab'.repeat(8);
export const AGENT = {
  id: AGENT_SPAN,
  values: {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'order desk',
    'gen_ai.agent.version': '1.0.0',
  },
};
export const LOOK_UP = {
  id: 'cd'.repeat(8),
  values: {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'look_up',
    'gen_ai.tool.call.arguments': '{"order":"7"}',
    'gen_ai.tool.call.result': '{"state":"sent"}',
  },
};

/** What the program does when it is called; tests change it. */
export const conduct = {
  /** What it answers, when it is asked with its token. */
  answer: (): TargetReply => ({
    status: 200,
    body: JSON.stringify({ answer: { text: 'It is on its way.' } }),
  }),
  /** What it sends of a call, before it answers. */
  trace: (traceparent: string): Promise<void> => send(traceparent, [AGENT]),
};

/** How the program answers: after it has sent its trace, and to calls with its token alone. */
export const asked: TargetScript = async ({ headers }) => {
  await conduct.trace(String(headers.traceparent));
  return headers.authorization === 'Bearer s3cret-token' ? conduct.answer() : { status: 401, body: '{}' };
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'external-runs-'));
  [platform, program] = await Promise.all([
    Platform.shared(['accounts', 'traffic', 'agents', 'test-runs', 'gateway']),
    startHttpTarget(),
  ]);
  company = await platform.company();
  const caller = platform.caller(company.companyId);
  const { bus } = platform;
  const key = await bus.call(apiKeys.endpoints.createApiKey, { name: 'exporter', scopes: ['ingest'] }, caller);
  ingestKey = key.key ?? '';
  const application = await bus.call(
    applications.endpoints.createApplication,
    { application_name: 'Shop', state: 'ENABLED', meta: {} },
    caller,
  );
  const agent = { application_id: application.id, agent_name: 'order desk', kind: 'EXTERNAL' };
  agentId = (await bus.call(agents.endpoints.createAgent, agent as never, caller)).id;
  const publish = { agent_id: agentId, version: '1.0.0' };
  await bus.call(agentVersions.endpoints.publishVersion, publish as never, caller);
  setId = (await bus.call(testSets.endpoints.createTestSet, { name: 'Orders' } as never, caller)).id;
  const item = {
    test_set_id: setId,
    input: { messages: [{ role: 'user', content: 'Where is order 7?' }] },
    expected_output: { text: 'It is on its way.' },
  };
  await bus.call(testSetItems.endpoints.createTestSetItem, item as never, caller);
  program.answerWith(asked);
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all([platform.stop(), program.close()]);
});

export function signalbox(words: string[]): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(REPOSITORY, 'apps/cli/bin/signalbox.mjs'), ...words], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      SIGNALBOX_API_KEY: company.key,
      SIGNALBOX_URL: platform.baseUrl,
      XDG_CONFIG_HOME: folder,
      TOKEN: 's3cret-token',
    },
  });
  let output = '';
  child.stdout.on('data', (part: Buffer) => void (output += part.toString()));
  child.stderr.on('data', (part: Buffer) => void (output += part.toString()));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

export const CONFIG = {
  headers: { Authorization: 'Bearer {{secrets.TOKEN}}' },
  output_path: 'answer.text',
};

/** Runs the set against the program; returns its item. */
export async function run(config: object = {}, test_set_id = setId): Promise<RunItem> {
  const caller = platform.caller(company.companyId);
  const input = {
    test_set_id,
    consumer_kind: 'EXTERNAL',
    consumer_config: { url: program.url, ...CONFIG, ...config },
    secrets: { TOKEN: 's3cret-token' },
    wait_seconds: 60,
  };
  const { id } = await platform.bus.call(evaluatedRuns.endpoints.runTestSet, input as never, caller);
  return itemOf(id);
}

export async function itemOf(id: number): Promise<RunItem> {
  const page = { id, offset: 0, limit: 10, sort: '-id' };
  const caller = platform.caller(company.companyId);
  return (await platform.bus.call(testRuns.endpoints.listRunItems, page as never, caller)).data[0] as RunItem;
}
