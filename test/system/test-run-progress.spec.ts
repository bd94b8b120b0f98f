import { models, providers, workflowVersions } from '@signalbox/contracts';
import { eventually, type ModelProvider, Platform, startModelProvider } from '@signalbox/testing';

interface Frame {
  id: number;
  event: string;
  data: { progress?: { completed: number; total: number } };
}

let platform: Platform;
let provider: ModelProvider;
let company: { companyId: number; key: string };
/** Items that the model may answer. */
let allowed = 0;

beforeAll(async () => {
  provider = await startModelProvider({
    script: async (_, index) => {
      await eventually('the item may be answered', () => index < allowed, 60_000);
      return 'yes';
    },
  });
  platform = await Platform.shared([
    'gateway',
    'accounts',
    'traffic',
    'agents',
    'monitors',
    'workflows',
    'runner',
    'test-runs',
  ]);
  company = await platform.company();
  const caller = platform.caller(company.companyId);
  const outside = {
    provider_name: 'outside',
    kind: 'openai_compatible' as const,
    base_url: provider.url,
    api_key: 'sk-x',
  };
  const { id: provider_id } = await platform.bus.call(
    providers.endpoints.createProvider,
    { ...outside, default_headers: {}, timeout_ms: 60_000, status: 'ENABLED' },
    caller,
  );
  const able = { supports_tools: true, supports_json_schema: true, trainable: false, status: 'ENABLED' } as const;
  await platform.bus.call(models.endpoints.createModel, { model_name: 'm', provider_id, ...able }, caller);
}, 120_000);
afterAll(async () => {
  await platform?.stop();
  await provider?.close();
});

const stream = (run: number, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${platform.baseUrl}/unified-test-runs/${run}/stream`, {
    headers: { 'X-Service-Api-Key': company.key, ...headers },
  });

const call = (method: string, path: string, body?: object): Promise<{ id: number }> =>
  platform.api(company.key).data(method, path, body);

/** The frames of a stream as they arrive, until the server closes it. */
async function* framesOf(reply: Response): AsyncGenerator<Frame> {
  let text = '';
  for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
    const frames = (text + Buffer.from(chunk).toString()).split('\n\n');
    text = frames.pop() ?? '';
    for (const frame of frames) {
      const fields = Object.fromEntries(frame.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2))) as Record<
        string,
        string
      >;
      if (fields.event)
        yield { id: Number(fields.id), event: fields.event, data: JSON.parse(fields.data ?? '{}') as Frame['data'] };
    }
  }
}

async function preparedRun(items: number): Promise<{ set: number; run: number }> {
  const { id: set } = await call('POST', '/unified-test-sets', { name: `Set of ${items}, ${Math.random()}` });
  for (let item = 0; item < items; item++)
    await call('POST', `/unified-test-sets/${set}/items`, { input: { input: `item ${item}` } });
  const consumer = { consumer_kind: 'MODEL', consumer_config: { model: 'm' } };
  const { id: run } = await call('POST', '/unified-test-runs', { test_set_id: set, ...consumer });
  await call('POST', `/unified-test-runs/${run}/prepare`);
  return { set, run };
}

describe('the progress of a test run', () => {
  it('arrives over the stream while items are executed, and again after a reconnect', async () => {
    const { run } = await preparedRun(3);
    await call('POST', `/unified-test-runs/${run}/execute`, { concurrency: 1 });
    const reply = await stream(run);
    expect(reply.headers.get('content-type')).toContain('text/event-stream');
    const seen: Frame[] = [];
    for await (const frame of framesOf(reply)) {
      seen.push(frame);
      // The next item is answered when the stream has shown the ones before it.
      if (frame.event === 'run.progress' && frame.data.progress?.completed === allowed) allowed += 1;
    }
    const progress = seen.filter(({ event }) => event === 'run.progress').map(({ data }) => data.progress);
    expect(new Set(progress.map((each) => each?.completed))).toEqual(new Set([0, 1, 2]));
    expect(progress.every((each) => each?.total === 3)).toBe(true);
    expect(seen[0]).toMatchObject({ id: 1, event: 'run.started' });
    expect(seen.at(-1)).toMatchObject({ event: 'run.completed', data: { completed: 3, failed: 0 } });
    expect(seen.map(({ id }) => id)).toEqual(seen.map((_, at) => at + 1));
    const again: Frame[] = [];
    const after = String(seen.length - 1);
    for await (const frame of framesOf(await stream(run, { 'Last-Event-ID': after }))) again.push(frame);
    expect(again).toEqual([seen.at(-1)]);
  }, 60_000);
});

describe('a test set', () => {
  const remove = (set: number) => platform.api(company.key).send('DELETE', `/unified-test-sets/${set}`);

  it('cannot be deleted before its run is completed or deleted', async () => {
    const { set, run } = await preparedRun(1);
    const refused = await remove(set);
    expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('run')]);
    await call('DELETE', `/unified-test-runs/${run}`);
    expect(await call('DELETE', `/unified-test-sets/${set}`)).toMatchObject({ deleted: true });
  });

  it('cannot be deleted while the gate of a release of a workflow names it', async () => {
    const caller = platform.caller(company.companyId);
    const { id: set } = await call('POST', '/unified-test-sets', { name: `Gated ${Math.random()}` });
    const script = 'async function execute(ctx) { return ctx.input; }';
    const { id: workflow } = await call('POST', '/workflows', { workflow_ref_name: 'gated', script });
    await call('POST', `/workflows/${workflow}/versions`);
    await call('POST', `/workflows/${workflow}/releases`, { name: 'stable', version: '1.0.0' });
    const gate_policy = { test_set_id: set, min_match_rate: 1, max_age_ms: 3_600_000 };
    await call('PUT', `/workflows/${workflow}/releases/stable`, { gate_policy });
    const refused = await remove(set);
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining(`release stable of workflow ${workflow} names the test set`),
    ]);
    await platform.bus.call(
      workflowVersions.endpoints.updateRelease,
      { workflow_id: workflow, release_name: 'stable', gate_policy: null },
      caller,
    );
    expect(await call('DELETE', `/unified-test-sets/${set}`)).toMatchObject({ deleted: true });
  });
});
