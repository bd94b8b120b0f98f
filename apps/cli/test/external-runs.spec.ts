import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ApiError,
  agents,
  agentVersions,
  apiKeys,
  applications,
  evaluatedRuns,
  evaluationCriteria,
  type RunItem,
  tasks,
  testRuns,
  testSetItems,
  testSets,
} from '@signalbox/contracts';
import {
  eventually,
  type HttpTarget,
  Platform,
  startHttpTarget,
  type TargetReply,
  type TargetScript,
  type TestCompany,
} from '@signalbox/testing';
import { REPOSITORY } from '../src/launcher/services.js';

let platform: Platform;
let company: TestCompany;
let program: HttpTarget;
let folder: string;
let agentId: number;
let setId: number;
let ingestKey: string;

/** What the program answers, when it is asked with its token. */
let answer: () => TargetReply = () => ({
  status: 200,
  body: JSON.stringify({ answer: { text: 'It is on its way.' } }),
});

type Values = Record<string, string>;

/** Sends spans below the span of this platform that has caused them; the first is that of the agent. */
async function send(traceparent: string, spans: readonly { id: string; values: Values }[]): Promise<void> {
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
const AGENT = {
  id: AGENT_SPAN,
  values: {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'order desk',
    'gen_ai.agent.version': '1.0.0',
  },
};
const LOOK_UP = {
  id: 'cd'.repeat(8),
  values: {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'look_up',
    'gen_ai.tool.call.arguments': '{"order":"7"}',
    'gen_ai.tool.call.result': '{"state":"sent"}',
  },
};

/** What the program sends of a call, before it answers. */
let trace = (traceparent: string): Promise<void> => send(traceparent, [AGENT]);

/** How the program answers: after it has sent its trace, and to calls with its token alone. */
const asked: TargetScript = async ({ headers }) => {
  await trace(String(headers.traceparent));
  return headers.authorization === 'Bearer s3cret-token' ? answer() : { status: 401, body: '{}' };
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

function signalbox(words: string[]): Promise<{ code: number | null; output: string }> {
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

const CONFIG = {
  headers: { Authorization: 'Bearer {{secrets.TOKEN}}' },
  output_path: 'answer.text',
};

/** Runs the set against the program; returns its item. */
async function run(config: object = {}, test_set_id = setId): Promise<RunItem> {
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

async function itemOf(id: number): Promise<RunItem> {
  const page = { id, offset: 0, limit: 10, sort: '-id' };
  const caller = platform.caller(company.companyId);
  return (await platform.bus.call(testRuns.endpoints.listRunItems, page as never, caller)).data[0] as RunItem;
}

describe('a program that runs elsewhere', () => {
  const gate = ['gate', '--agent', 'order desk', '--release', 'production', '--version', '1.0.0'];

  it('passes the gate of a release when a run of its version is good enough', async () => {
    const release = {
      agent_id: agentId,
      name: 'production',
      version: '1.0.0',
      gate_policy: { test_set_id: setId, min_match_rate: 1, max_age_ms: 3_600_000, max_error_rate: 0 },
    };
    const caller = platform.caller(company.companyId);
    const create = () => platform.bus.call(agentVersions.endpoints.createRelease, release as never, caller);
    await expect(create()).rejects.toMatchObject({ kind: 'conflict' });
    const evaluated = await signalbox([
      ...['eval', '--set', 'Orders', '--url', program.url, '--agent', 'order desk', '--version', '1.0.0'],
      ...['--header', 'Authorization: Bearer {{secrets.TOKEN}}', '--secret', 'TOKEN', '--output-path', 'answer.text'],
    ]);
    expect(evaluated).toMatchObject({ code: 0 });
    await create();
    expect(await signalbox(gate)).toEqual({
      code: 0,
      output: 'version 1.0.0 may run under release production\n',
    });
    const publish = { agent_id: agentId, version: '1.1.0' };
    await platform.bus.call(agentVersions.endpoints.publishVersion, publish as never, caller);
    const refused = await signalbox([...gate.slice(0, -1), '1.1.0']);
    expect(refused.code).toBe(5);
    expect(refused.output).toMatch(/may not run under release production:\n {2}\S/);
  }, 120_000);

  it('is refused with a release but without the version that runs there, which the gate would judge', async () => {
    const input = {
      ...{ test_set_id: setId, consumer_kind: 'EXTERNAL', secrets: { TOKEN: 's3cret-token' }, release: 'production' },
      consumer_config: { url: program.url, ...CONFIG, agent_id: agentId },
    };
    const caller = platform.caller(company.companyId);
    await expect(platform.bus.call(evaluatedRuns.endpoints.runTestSet, input as never, caller)).rejects.toMatchObject({
      status: 400,
      extras: { details: [{ field: 'consumer_config.version' }] },
    });
  });

  it('is asked with the filled body, and its trace becomes the task of the item, with trigger TEST', async () => {
    program.calls.length = 0;
    const body_template = { question: '{{input}}', history: '{{messages}}', more: { n: 1 } };
    const item = await run({ agent_id: agentId, version: '1.0.0', body_template });
    expect(item).toMatchObject({ status: 'COMPLETED', actual_output: { text: 'It is on its way.' }, matched: true });
    expect(JSON.parse(program.calls[0]!.body.toString())).toEqual({
      question: 'Where is order 7?',
      history: [{ role: 'user', content: 'Where is order 7?' }],
      more: { n: 1 },
    });
    const { agent_task_id: task_id = '' } = item.source_ref as { agent_task_id?: string };
    const task = await eventually(
      'the task of the item has ended',
      async () => {
        const found = await platform.bus
          .call(tasks.endpoints.getAnyTask, { task_id, wait_seconds: 0 }, platform.caller(company.companyId))
          .catch(() => null);
        return found?.status === 'COMPLETED' ? found : null;
      },
      60_000,
    );
    expect(task).toMatchObject({ trigger: 'TEST', agent_id: agentId, version: '1.0.0' });
  }, 120_000);

  it.each([
    ['provider', () => ({ status: 500, body: 'broken' }), {}],
    ['provider', () => ({ status: 302, headers: { location: program.url }, body: '' }), {}],
    ['adapter', () => ({ status: 200, body: '{"answer": {}}' }), {}],
    ['timeout', () => ({ hang: true }), { timeout_ms: 300 }],
  ] as const)('that fails makes an item FAILED of class %s', async (failure_class, failing, config) => {
    const before = answer;
    answer = failing;
    try {
      expect(await run(config)).toMatchObject({ status: 'FAILED', failure_class });
    } finally {
      answer = before;
    }
  });

  it.each([
    [{ url: 'http://{{secrets.HOST}}/' }, 'url'],
    [{ url: 'ftp://a/' }, 'url'],
    [{ body_template: { a: 'say {{input}}' } }, 'body_template'],
    [{ body_template: '{{secrets.TOKEN}}' }, 'body_template'],
    [{ version: '1.0.0' }, 'version'],
  ])('is refused with the configuration %j', async (config, field) => {
    await expect(run(config)).rejects.toMatchObject({
      kind: 'invalid',
      extras: { details: [{ field: expect.stringContaining(field) as string }] },
    });
  });

  it('needs an EXTERNAL agent and a version that exists', async () => {
    await expect(run({ agent_id: agentId, version: '9.9.9' })).rejects.toMatchObject({ kind: 'not_found' });
    const { application_id } = await platform.bus.call(
      agents.endpoints.getAgent,
      { agent_id: agentId },
      platform.caller(company.companyId),
    );
    const hosted = { application_id, agent_name: 'hosted desk', model: 'simulated-echo' };
    const { id } = await platform.bus.call(
      agents.endpoints.createAgent,
      hosted as never,
      platform.caller(company.companyId),
    );
    await expect(run({ agent_id: id })).rejects.toMatchObject({
      status: 400,
      extras: { details: [{ field: 'consumer_config.agent_id' }] },
    });
  });
});

describe('the call of a program that runs elsewhere', () => {
  const { endpoints } = testRuns;
  const caller = () => platform.caller(company.companyId);
  let release: () => void;
  beforeEach(() => {
    program.calls.length = 0;
    const released = new Promise<void>((resolve) => (release = resolve));
    program.answerWith(async () => {
      await released;
      return answer();
    });
  });
  afterEach(() => {
    release();
    program.answerWith(asked);
  });
  /** Starts a run whose item waits for the program. */
  const started = async (): Promise<number> => {
    const consumer_config = { url: program.url, output_path: 'answer.text', timeout_ms: 300_000 };
    const created = { test_set_id: setId, consumer_kind: 'EXTERNAL', consumer_config, auto_score: false, repeats: 1 };
    const { id } = await platform.bus.call(endpoints.createTestRun, { ...created, meta: {} } as never, caller());
    await platform.bus.call(endpoints.prepareTestRun, { id }, caller());
    await platform.bus.call(endpoints.executeTestRun, { id, concurrency: 1, secrets: {} }, caller());
    await eventually('the program is called', () => program.calls.length === 1);
    return id;
  };

  const completed = (id: number, limitMs?: number) =>
    eventually(
      'the run is completed',
      async () => (await platform.bus.call(endpoints.getTestRun, { id }, caller())).status === 'COMPLETED',
      limitMs,
    );

  it('is made once when the process of its run stops meanwhile', async () => {
    const id = await started();
    const process = platform.service('test-runs');
    const ended = process.kill('SIGTERM');
    const isStopping = () =>
      platform.bus.call(endpoints.getTestRun, { id }, caller()).then(
        () => false,
        ({ kind }: ApiError) => kind === 'unavailable',
      );
    await eventually('the process stops', isStopping);
    release();
    await ended;
    await process.start();
    await completed(id);
    expect(await itemOf(id)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
    expect(program.calls).toHaveLength(1);
  }, 120_000);

  it('is made once when its answer is lost with the process of its run', async () => {
    const id = await started();
    const process = platform.service('test-runs');
    await process.kill();
    await process.start();
    release();
    await completed(id, 90_000);
    expect(await itemOf(id)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
    expect(program.calls).toHaveLength(1);
  }, 120_000);

  it('is made again under the same key when the process that makes it is lost', async () => {
    const id = await started();
    const process = platform.service('agents');
    await process.kill();
    await process.start();
    release();
    await completed(id, 90_000);
    expect(await itemOf(id)).toMatchObject({ status: 'COMPLETED', attempts: 1 });
    const [first, second, ...more] = program.calls.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect([second, more]).toEqual([first, []]);
  }, 120_000);

  it('has its verdict although the gateway is away for longer than a call is usually repeated', async () => {
    const evaluated = signalbox(['eval', '--set', 'Orders', '--url', program.url, '--output-path', 'answer.text']);
    await eventually('the program is called', () => program.calls.length === 1);
    const gateway = platform.service('gateway');
    await gateway.kill();
    await pause(4000);
    await gateway.start();
    release();
    expect(await evaluated).toMatchObject({ code: 0, output: expect.stringContaining('passed') as string });
  }, 120_000);

  it('ends when its run is cancelled', async () => {
    const id = await started();
    await platform.bus.call(endpoints.cancelTestRun, { id }, caller());
    await eventually('the program has lost its caller', () => program.calls[0]?.endedAt !== null);
    expect(await itemOf(id)).toMatchObject({ status: 'FAILED', error_code: 'cancelled' });
  });
});

describe('runs of programs that are no agents', () => {
  it('are compared with the newest earlier one of them', async () => {
    const caller = platform.caller(company.companyId);
    const { id: test_set_id } = await platform.bus.call(
      testSets.endpoints.createTestSet,
      { name: 'Baselines' } as never,
      caller,
    );
    const input = {
      ...{ test_set_id, consumer_kind: 'EXTERNAL', secrets: { TOKEN: 's3cret-token' }, wait_seconds: 60 },
      consumer_config: { url: program.url, ...CONFIG },
    };
    const runs = () => platform.bus.call(evaluatedRuns.endpoints.runTestSet, input as never, caller);
    const first = await runs();
    expect(first).toMatchObject({ consumer_id: null, compared_with: null });
    const ofAgent = { ...input, consumer_config: { ...input.consumer_config, agent_id: agentId } };
    await platform.bus.call(evaluatedRuns.endpoints.runTestSet, ofAgent as never, caller);
    expect((await runs()).compared_with).toMatchObject({ id: first.id });
  });
});

describe('the steps of a program that runs elsewhere', () => {
  let stepsSet: number;
  const before = trace;
  afterEach(() => void (trace = before));
  beforeAll(async () => {
    const caller = platform.caller(company.companyId);
    const checks = [{ kind: 'called', tool: 'look_up', arguments: [{ path: 'order', equals: '7' }] }];
    const criterion = { name: 'Looks it up', criteria_type: 'BOOLEAN', method: 'STEPS', config: { checks } };
    const weighed = { ...criterion, weight: 1, enabled: true };
    const { id } = await platform.bus.call(evaluationCriteria.endpoints.createCriteria, weighed as never, caller);
    const set = { name: 'Steps', criteria_ids: [id] };
    stepsSet = (await platform.bus.call(testSets.endpoints.createTestSet, set as never, caller)).id;
    const input = { messages: [{ role: 'user', content: 'Where is order 7?' }] };
    const item = { test_set_id: stepsSet, input, expected_output: null };
    await platform.bus.call(testSetItems.endpoints.createTestSetItem, item as never, caller);
  });

  /** Sends parts of a trace once the program has answered, each so many milliseconds after the one before. */
  const afterTheAnswer =
    (...parts: { spans: Parameters<typeof send>[1]; ms: number }[]) =>
    (traceparent: string): Promise<void> => {
      void (async () => {
        for (const { spans, ms } of parts) {
          await pause(ms);
          await send(traceparent, spans);
        }
      })();
      return Promise.resolve();
    };
  const outcomeOf = ({ outcome, criteria_results: [result] }: RunItem) => [outcome, result?.description];
  const scored = async (): Promise<RunItem> => {
    const { test_run_id: id } = await run({ agent_id: agentId, version: '1.0.0' }, stepsSet);
    return eventually(
      'the item is scored',
      async () => {
        const item = await itemOf(id);
        return item.criteria_results.length > 0 ? item : null;
      },
      120_000,
    );
  };

  it('are those of the trace that arrives after the answer', async () => {
    trace = afterTheAnswer({ spans: [AGENT, LOOK_UP], ms: 200 });
    expect(outcomeOf(await scored())).toEqual(['PASS', 'the check holds']);
    trace = afterTheAnswer({ spans: [AGENT], ms: 200 });
    expect(outcomeOf(await scored())).toEqual([
      'FAIL',
      expect.stringContaining('look_up with these arguments was not'),
    ]);
  }, 240_000);

  it('are waited for until the trace is closed, also those that come late', async () => {
    trace = afterTheAnswer({ spans: [AGENT], ms: 1000 }, { spans: [LOOK_UP], ms: 4000 });
    expect(outcomeOf(await scored())).toEqual(['PASS', 'the check holds']);
  }, 240_000);

  it('that never arrive are an error with its reason, no failure, and are waited for a minute at most', async () => {
    trace = () => Promise.resolve();
    const caller = platform.caller(company.companyId);
    const { endpoints } = testRuns;
    const consumer_config = { url: program.url, ...CONFIG, agent_id: agentId, version: '1.0.0' };
    const created = {
      test_set_id: stepsSet,
      consumer_kind: 'EXTERNAL',
      consumer_config,
      auto_score: false,
      repeats: 1,
    };
    const { id } = await platform.bus.call(endpoints.createTestRun, { ...created, meta: {} } as never, caller);
    await platform.bus.call(endpoints.prepareTestRun, { id }, caller);
    const secrets = { TOKEN: 's3cret-token' };
    await platform.bus.call(endpoints.executeTestRun, { id, concurrency: 1, secrets }, caller);
    await eventually('the run is completed', async () => {
      return (await platform.bus.call(endpoints.getTestRun, { id }, caller)).status === 'COMPLETED';
    });
    // As if that minute had passed.
    for (const table of ['run_items', 'run_attempts'])
      await platform.sql.query(
        `UPDATE "test-runs".${table} SET completed_at = completed_at - 60000 WHERE company_id = $1 AND run_id =
           (SELECT r.id FROM "test-runs".runs r WHERE r.company_id = $1 AND r.no = $2)`,
        [company.companyId, id],
      );
    const summary = await eventually('the run is scored', async () => {
      const found = await platform.bus.call(endpoints.scoreTestRun, { id } as never, caller);
      return found.status === 'SCORED' ? found : null;
    });
    expect(summary).toMatchObject({ matched: 0, mismatched: 0, errors: 1, errors_by_class: { judge: 1 } });
    expect(outcomeOf(await itemOf(id))).toEqual(['ERROR', 'the trace of the item has not arrived']);
  }, 120_000);
});
