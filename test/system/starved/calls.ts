import { eventually, type Platform } from '@signalbox/testing';

/** A kind of call in the mix. */
export interface MixedCall {
  name: string;
  isRead: boolean;
  /** Performs it once; throws when it fails. */
  run(): Promise<unknown>;
}

const JAVASCRIPT = 'async function execute(ctx) { return { seen: ctx.input }; }';
const PYTHON = 'def execute(ctx):\n    return {"seen": ctx["input"]}\n';

/** Sets up one resource of each kind, and returns the calls about them. */
export async function mixedCalls(platform: Platform): Promise<MixedCall[]> {
  const { key } = await platform.company();
  const client = platform.api(key);
  /** Creates a resource and returns its path. */
  const create = async (path: string, body: object): Promise<string> =>
    `${path}/${String((await client.data('POST', path, body)).id)}`;
  const application = await create('/applications', { application_name: 'Shop' });
  const application_id = Number(application.split('/').at(-1));
  const agent = await create('/agents', { application_id, agent_name: 'Helper', model: 'simulated-echo' });
  const workflow = await create('/workflows', { workflow_ref_name: 'echo', script: JAVASCRIPT });
  const config = { runner: { resource_type: 'direct' }, result: { default_outcome: 'WARNING' } };
  const monitor = await create('/monitors', { name: 'Watch', config });
  const testSet = await create('/unified-test-sets', { name: 'Golden' });
  for (const word of ['one', 'two']) await client.data('POST', `${testSet}/items`, { input: { input: word } });
  const test_set_id = Number(testSet.split('/').at(-1));

  const read = (name: string, path: string): MixedCall => ({
    name,
    isRead: true,
    run: () => client.data('GET', path),
  });
  const write = (name: string, run: () => Promise<unknown>): MixedCall => ({ name, isRead: false, run });
  const validate = async (language: string, script: string): Promise<void> => {
    const { problems, errors } = await client.data('POST', '/workflows/validate', { language, script });
    if (((problems ?? errors) as unknown[]).length > 0)
      throw new Error(`not valid: ${JSON.stringify(problems ?? errors)}`);
  };
  const testRun = async (): Promise<void> => {
    const consumer = { consumer_kind: 'MODEL', consumer_config: { model: 'simulated-echo' } };
    const run = await create('/unified-test-runs', { test_set_id, ...consumer });
    await client.data('POST', `${run}/prepare`);
    await client.data('POST', `${run}/execute`, {});
    const ended = await eventually(
      'the test run ends',
      async () => {
        const { status, failed_items } = await client.data('GET', run);
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
      const answer = JSON.stringify(await client.data('POST', `${agent}/invoke`, { message: 'hello', wait: true }));
      if (!answer.includes('hello')) throw new Error(`the answer is ${answer}`);
    }),
    write('execute', async () => {
      const run = await client.data('POST', `${workflow}/execute`, { input: { a: 1 }, mode: 'sync' });
      if (run.status !== 'COMPLETED') throw new Error(`the run ended so: ${JSON.stringify(run)}`);
    }),
    write('chat', () =>
      client.data('POST', '/chat/completions', {
        model: 'simulated-echo',
        messages: [{ role: 'user', content: 'hello' }],
      }),
    ),
    write('validate JavaScript', () => validate('javascript', JAVASCRIPT)),
    write('validate Python', () => validate('python', PYTHON)),
    write('test run', testRun),
  ];
}
