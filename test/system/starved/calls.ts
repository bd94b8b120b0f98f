import { eventually, type Platform } from '@signalbox/testing';

/** A kind of call in the mix. */
export interface MixedCall {
  name: string;
  isRead: boolean;
  /** Performs it once; throws when it fails. */
  run(): Promise<unknown>;
}

type Json = Record<string, unknown>;

const JAVASCRIPT = 'async function execute(ctx) { return { seen: ctx.input }; }';
const PYTHON = 'def execute(ctx):\n    return {"seen": ctx["input"]}\n';

/** The public API of one company. */
class Client {
  constructor(
    private readonly baseUrl: string,
    private readonly key: string,
  ) {}

  async call(method: string, path: string, body?: object): Promise<Json> {
    const reply = await fetch(this.baseUrl + path, {
      method,
      headers: { 'X-Service-Api-Key': this.key, 'Content-Type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await reply.text();
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
    const parsed = JSON.parse(text) as Json;
    return (parsed.data ?? parsed) as Json;
  }

  /** Creates a resource and returns its path. */
  async create(path: string, body: object): Promise<string> {
    return `${path}/${String((await this.call('POST', path, body)).id)}`;
  }
}

/** Sets up one resource of each kind, and returns the calls about them. */
export async function mixedCalls(platform: Platform): Promise<MixedCall[]> {
  const { key } = await platform.company();
  const client = new Client(platform.baseUrl, key);
  const application = await client.create('/applications', { application_name: 'Shop' });
  const application_id = Number(application.split('/').at(-1));
  const agent = await client.create('/agents', { application_id, agent_name: 'Helper', model: 'simulated-echo' });
  const workflow = await client.create('/workflows', { workflow_ref_name: 'echo', script: JAVASCRIPT });
  const config = { runner: { resource_type: 'direct' }, result: { default_outcome: 'WARNING' } };
  const monitor = await client.create('/monitors', { name: 'Watch', config });
  const testSet = await client.create('/unified-test-sets', { name: 'Golden' });
  for (const word of ['one', 'two']) await client.call('POST', `${testSet}/items`, { input: { input: word } });
  const test_set_id = Number(testSet.split('/').at(-1));

  const read = (name: string, path: string): MixedCall => ({
    name,
    isRead: true,
    run: () => client.call('GET', path),
  });
  const write = (name: string, run: () => Promise<unknown>): MixedCall => ({ name, isRead: false, run });
  const validate = async (language: string, script: string): Promise<void> => {
    const { problems, errors } = await client.call('POST', '/workflows/validate', { language, script });
    if (((problems ?? errors) as unknown[]).length > 0)
      throw new Error(`not valid: ${JSON.stringify(problems ?? errors)}`);
  };
  const testRun = async (): Promise<void> => {
    const consumer = { consumer_kind: 'MODEL', consumer_config: { model: 'simulated-echo' } };
    const run = await client.create('/unified-test-runs', { test_set_id, ...consumer });
    await client.call('POST', `${run}/prepare`);
    await client.call('POST', `${run}/execute`, {});
    const ended = await eventually(
      'the test run ends',
      async () => {
        const { status, failed_items } = await client.call('GET', run);
        return status === 'COMPLETED' ? { failed_items } : null;
      },
      120_000,
    );
    if (ended.failed_items !== 0) throw new Error(`items of the test run failed: ${JSON.stringify(ended)}`);
  };
  return [
    read('read an agent', agent),
    read('read a workflow', workflow),
    read('read a monitor', monitor),
    read('read a test set', testSet),
    read('read an application', application),
    write('invoke', async () => {
      const answer = JSON.stringify(await client.call('POST', `${agent}/invoke`, { message: 'hello', wait: true }));
      if (!answer.includes('hello')) throw new Error(`the answer is ${answer}`);
    }),
    write('execute', async () => {
      const run = await client.call('POST', `${workflow}/execute`, { input: { a: 1 }, mode: 'sync' });
      if (run.status !== 'COMPLETED') throw new Error(`the run ended so: ${JSON.stringify(run)}`);
    }),
    write('chat', () =>
      client.call('POST', '/chat/completions', {
        model: 'simulated-echo',
        messages: [{ role: 'user', content: 'hello' }],
      }),
    ),
    write('validate JavaScript', () => validate('javascript', JAVASCRIPT)),
    write('validate Python', () => validate('python', PYTHON)),
    write('test run', testRun),
  ];
}
