import { actions, agents, applications, models, providers, tasks } from '@signalbox/contracts';
import {
  type CollectedSpan,
  ConformanceFixtures,
  RawClient,
  eventually,
  type HttpTarget,
  type ModelProvider,
  type OtlpCollector,
  Platform,
  startHttpTarget,
  startModelProvider,
  startOtlpCollector,
} from '@signalbox/testing';

const TRACE = 'ab'.repeat(16);
const CLIENT_SPAN = 'cd'.repeat(8);
const SERVER = 2;
const CLIENT = 3;
const CONSUMER = 5;
const ENTRANCE = 'POST /api/v1/agents/{agent_id}/invoke';
const CANARY = 'canary-in-the-message';

let model: ModelProvider;
let target: HttpTarget;
let collector: OtlpCollector;
let platform: Platform;
let rawClient: RawClient;
let key: string;
let agentId: unknown;

beforeAll(async () => {
  [model, target, collector] = await Promise.all([startModelProvider(), startHttpTarget(), startOtlpCollector()]);
  model.answerWith(({ messages }) =>
    messages.at(-1)?.role === 'tool' ? 'It is there.' : { toolCalls: [{ name: 'look', arguments: { id: '1' } }] },
  );
  platform = await Platform.start({
    services: ['accounts', 'traffic', 'agents', 'gateway'],
    env: {
      EGRESS_ALLOW: '127.0.0.1/32',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      COMPANY_JOBS_AT_ONCE: '1',
    },
  });
  const company = await platform.company();
  key = company.key;
  rawClient = new RawClient(platform.baseUrl);
  agentId = await agentWithAction(new ConformanceFixtures(rawClient, company.companyId, key));
}, 90_000);
afterAll(async () => {
  await platform.stop();
  await Promise.all([model, target, collector].map((each) => each.close()));
});

/** An agent with one action, whose model is served by the fake provider. */
async function agentWithAction(fixtures: ConformanceFixtures): Promise<unknown> {
  const provider = await fixtures.call(providers.endpoints.createProvider, {
    provider_name: 'played',
    kind: 'openai_compatible',
    base_url: model.url,
    api_key: 'played',
  });
  await fixtures.call(models.endpoints.createModel, { model_name: 'played', provider_id: provider.id });
  const home = await fixtures.newApplication();
  const agent = { application_id: home.id, agent_name: 'Traced desk', model: 'played' };
  const { id } = await fixtures.call(agents.endpoints.createAgent, agent);
  await fixtures.call(actions.endpoints.createAction, {
    agent_id: id,
    action_name: 'look',
    action_type: 'api',
    description: 'looks',
    action_config: {
      endpoint: `${target.url}/orders/{{id}}?of=${CANARY}`,
      method: 'GET',
      parameters: { id: { type: 'string', required: true } },
    },
  });
  return id;
}

/** Invokes the agent; returns the id of its task. */
async function invoke(traceparent: string): Promise<string> {
  const input = { agent_id: agentId, message: `Is ${CANARY} there?` };
  const reply = await rawClient.send(tasks.endpoints.invokeAgent, input, {
    key,
    headers: [['traceparent', traceparent]],
  });
  expect(reply.status).toBe(200);
  return (JSON.parse(reply.text) as { data: { task_id: string } }).data.task_id;
}

const ofTrace = (traceId: string): CollectedSpan[] => collector.spans.filter((span) => span.traceId === traceId);

describe('the trace of an invocation', () => {
  let spans: CollectedSpan[];
  let taskId: string;
  const all = (service: string, name: string) =>
    spans.filter((span) => span.service === `signalbox-${service}` && span.name === name);
  const one = (service: string, name: string): CollectedSpan => {
    const [span] = all(service, name);
    if (!span)
      throw new Error(
        `${service} has no span ${name}: ${JSON.stringify(spans.map((each) => [each.service, each.name]))}`,
      );
    return span;
  };
  /** The spans above one, nearest first. */
  const above = (span: CollectedSpan): string[] => {
    const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
    return parent ? [`${parent.service.replace('signalbox-', '')} ${parent.name}`, ...above(parent)] : [];
  };

  beforeAll(async () => {
    taskId = await invoke(`00-${TRACE}-${CLIENT_SPAN}-01`);
    const isComplete = (): boolean => {
      spans = ofTrace(TRACE);
      const ends = [ENTRANCE, 'work agent_task', 'chat played', 'GET'];
      const known = new Set([CLIENT_SPAN, ...spans.map(({ spanId }) => spanId)]);
      const isWhole = spans.every(({ parentSpanId }) => known.has(parentSpanId));
      return isWhole && ends.every((name) => spans.some((span) => span.name === name));
    };
    await eventually('all spans arrive', isComplete);
  }, 60_000);

  it('begins at the client and continues through every process to the model and the action', () => {
    const entrance = one('gateway', ENTRANCE);
    expect(entrance).toMatchObject({
      kind: SERVER,
      parentSpanId: CLIENT_SPAN,
      attributes: { 'http.route': '/api/v1/agents/{agent_id}/invoke', 'http.response.status_code': 200 },
    });
    const chat = one('traffic', 'chat played');
    expect(above(one('traffic', 'POST'))).toEqual([
      'traffic chat played',
      'traffic chat/complete',
      'agents chat/complete',
      'agents work agent_task',
      'agents agents transaction',
      'agents agent-tasks/invokeAgent',
      'gateway agent-tasks/invokeAgent',
      `gateway ${ENTRANCE}`,
    ]);
    expect(above(one('agents', 'GET'))[0]).toBe('agents work agent_task');
    expect(chat.kind).toBe(CLIENT);
    expect(one('agents', 'work agent_task')).toMatchObject({
      kind: CONSUMER,
      attributes: { 'signalbox.work.ref': taskId },
    });
    expect(spans.filter(({ isError }) => isError)).toEqual([]);
  });

  it('has a span for each transaction, and none for statements', () => {
    expect(all('agents', 'agents transaction').length).toBeGreaterThanOrEqual(3);
    const attributes = { 'db.system.name': 'postgresql', 'db.namespace': 'agents' };
    expect(one('agents', 'agents transaction')).toMatchObject({ kind: CLIENT, attributes });
  });

  it('describes model calls by the semantic conventions', () => {
    const calls = all('traffic', 'chat played');
    expect(calls).toHaveLength(2);
    expect(calls[0]?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'played',
      'gen_ai.request.model': 'played',
      'gen_ai.usage.input_tokens': expect.any(Number) as number,
      'gen_ai.usage.output_tokens': expect.any(Number) as number,
      'gen_ai.response.finish_reasons': ['tool_calls'],
    });
    expect(calls[1]?.attributes['gen_ai.response.finish_reasons']).toEqual(['stop']);
  });

  it('continues in outgoing calls', () => {
    const sent = ofTrace(TRACE).map(({ spanId }) => spanId);
    for (const headers of [target.calls[0]?.headers, model.calls[0]?.headers]) {
      const [, traceId, spanId = ''] = String(headers?.traceparent).split('-');
      expect(traceId).toBe(TRACE);
      expect(sent).toContain(spanId);
    }
  });

  it('is named by the log lines of the request', async () => {
    const line = await eventually('the request is logged', async () => {
      const lines = (await platform.logOf('gateway')).split('\n');
      return lines.find((each) => each.includes('/invoke'));
    });
    expect(JSON.parse(line)).toMatchObject({ message: 'request', trace_id: TRACE });
  });

  it('contains no text of the conversation', () => {
    expect(collector.bodies.length).toBeGreaterThan(0);
    for (const { bytes } of collector.bodies) expect(bytes.includes(CANARY)).toBe(false);
  });
});

describe('the trace of a change', () => {
  it('continues in the consumers of its events', async () => {
    const traceId = '55'.repeat(16);
    const headers: [string, string][] = [['traceparent', `00-${traceId}-${CLIENT_SPAN}-01`]];
    const { createApplication } = applications.endpoints;
    const reply = await rawClient.send(createApplication, { application_name: 'Traced' }, { key, headers });
    expect(reply.status).toBe(200);
    const consumed = await eventually('the audit entry is consumed', () =>
      ofTrace(traceId).find(
        ({ service, kind, name }) =>
          service === 'signalbox-accounts' && kind === CONSUMER && /^process .*audit/.test(name),
      ),
    );
    const cause = await eventually('its cause arrives', () =>
      ofTrace(traceId).find(({ spanId }) => spanId === consumed.parentSpanId),
    );
    expect(cause).toMatchObject({ service: 'signalbox-traffic', name: 'traffic transaction' });
  }, 60_000);
});

describe('a trace that its client does not record', () => {
  it('has no spans, and its decision is passed on', async () => {
    const silent = 'ee'.repeat(16);
    const before = target.calls.length;
    await invoke(`00-${silent}-${CLIENT_SPAN}-00`);
    expect(String(target.calls[before]?.headers.traceparent)).toMatch(new RegExp(`^00-${silent}-[0-9a-f]{16}-00$`));
    // Later spans have arrived, so these would have as well.
    const later = '77'.repeat(16);
    await invoke(`00-${later}-${CLIENT_SPAN}-01`);
    await eventually('the later trace arrives', () => ofTrace(later).some(({ name }) => name === 'chat played'));
    expect(ofTrace(silent)).toEqual([]);
  }, 60_000);
});

describe('the trace of a task that waits for a slot', () => {
  it('is continued by the worker that claims its row', async () => {
    const [first, second] = ['33', '44'].map((digits) => digits.repeat(16)) as [string, string];
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    model.answerWith(async () => {
      await held;
      return 'Done.';
    });
    const before = model.calls.length;
    const running = invoke(`00-${first}-${CLIENT_SPAN}-01`);
    await eventually('the only slot is taken', () => model.calls.length > before);
    const waiting = invoke(`00-${second}-${CLIENT_SPAN}-01`);
    await eventually('the second task waits', async () => {
      const { rows } = await platform.sql.query(
        `SELECT 1 FROM agents.work WHERE lease_owner IS NULL AND done_at IS NULL AND traceparent LIKE $1`,
        [`00-${second}-%`],
      );
      return rows.length > 0;
    });
    release();
    await Promise.all([running, waiting]);
    const work = await eventually('its work arrives', () =>
      ofTrace(second).find(({ kind, name }) => kind === CONSUMER && name.startsWith('work ')),
    );
    const cause = await eventually('its cause arrives', () =>
      ofTrace(second).find(({ spanId }) => spanId === work.parentSpanId),
    );
    expect([work.name, cause.name]).toEqual(['work agent_task', 'agents transaction']);
  }, 60_000);
});

describe('the trace of a completion', () => {
  const traceId = '99'.repeat(16);
  const ask = async (stream: boolean): Promise<string> => {
    const body = { model: 'played', stream, messages: [{ role: 'user', content: CANARY }] };
    const headers = { traceparent: `00-${traceId}-${CLIENT_SPAN}-01` };
    return (await platform.api(key).send('POST', '/chat/completions', body, headers)).text;
  };
  const call = (isRight: (span: CollectedSpan) => boolean): Promise<CollectedSpan> =>
    eventually('the model call arrives', () =>
      ofTrace(traceId).find((span) => span.name === 'chat played' && isRight(span)),
    );
  beforeAll(() => model.answerWith(() => 'It is there.'));

  it('lasts as long as its stream and counts its tokens', async () => {
    expect(await ask(true)).toContain('[DONE]');
    const { service, attributes } = await call(({ isError }) => !isError);
    expect(service).toBe('signalbox-gateway');
    expect(attributes).toMatchObject({
      'gen_ai.response.finish_reasons': ['stop'],
      'gen_ai.usage.input_tokens': expect.any(Number) as number,
      'gen_ai.usage.output_tokens': expect.any(Number) as number,
    });
    const entrance = await eventually('the request arrives', () =>
      ofTrace(traceId).find(({ name }) => name === 'POST /api/v1/chat/completions'),
    );
    expect(entrance.parentSpanId).toBe(CLIENT_SPAN);
  }, 60_000);

  it('names the kind of a failure', async () => {
    model.answerWith(() => ({ error: { status: 400, message: CANARY } }));
    await ask(false);
    const { attributes } = await call(({ isError }) => isError);
    expect(attributes['error.type']).toMatch(/^provider_error\./);
    const http = ofTrace(traceId).filter(({ name }) => name === 'POST');
    expect(http.map((span) => span.attributes['http.response.status_code'])).toEqual([200, 400]);
    for (const { bytes } of collector.bodies) expect(bytes.includes(CANARY)).toBe(false);
  }, 60_000);
});
