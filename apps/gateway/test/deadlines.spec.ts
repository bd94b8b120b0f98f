import { readCaller } from '@signalbox/bus';
import type { Caller } from '@signalbox/contracts';
import { Platform } from '@signalbox/testing';

let platform: Platform;
let key: string;
beforeAll(async () => {
  platform = await Platform.start({
    services: ['accounts', 'workflows', 'gateway'],
    env: { INVOKE_TIMEOUT_SECONDS: '1' },
  });
  ({ key } = await platform.company());
}, 60_000);
afterAll(() => platform?.stop());

/** How long the service may work on a call, in ms; the call is given up once it has been sent. */
async function timeOf(endpoint: string, method: string, path: string, body?: object): Promise<number> {
  const { nats } = platform.connection;
  const sent = new Promise<Caller>((resolve) =>
    nats.subscribe(`rpc.*.*.${endpoint}`, {
      max: 1,
      callback: (_, { headers }) => resolve(readCaller(headers)),
    }),
  );
  await nats.flush();
  const began = Date.now();
  const left = new AbortController();
  const reply = fetch(`${platform.baseUrl}${path}`, {
    method,
    headers: { 'X-Service-Api-Key': key, ...(body ? { 'Content-Type': 'application/json' } : {}) },
    body: body ? JSON.stringify(body) : null,
    signal: left.signal,
  });
  const refused = reply.then(async (response) => Promise.reject(new Error(await response.text())));
  const { deadline } = await Promise.race([sent, refused]);
  left.abort();
  await refused.catch(() => undefined);
  return deadline - began;
}

describe('where invocations wait for a second', () => {
  const run = { input: {}, mode: 'sync' };
  const script = { workflow_ref_name: 'any', script: 'function execute() {}' };

  it.each([
    ['what invokes has that second and a little more', 'executeWorkflow', '/workflows/1/execute', run, 6000],
    ['what compiles has two minutes', 'createWorkflow', '/workflows', script, 120_000],
  ] as const)('%s', async (_, endpoint, path, body, limitMs) => {
    expect(await timeOf(endpoint, 'POST', path, body)).toBeGreaterThanOrEqual(limitMs);
  });

  it('what reads has half a minute', async () => {
    expect(await timeOf('listWorkflows', 'GET', '/workflows')).toBeGreaterThanOrEqual(30_000);
  });
});
