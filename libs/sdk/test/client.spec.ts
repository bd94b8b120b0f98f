import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { BadRequestError, ConflictError, createClient, NotFoundError, type Signalbox } from '@signalbox/sdk';
import { Platform, ROOT, type TestCompany } from '@signalbox/testing';
import ts from 'typescript';

const run = promisify(execFile);

let platform: Platform;
let company: TestCompany;
let client: Signalbox;
let applicationId: number;
let agentId: number;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'workflows', 'runner', 'test-runs', 'gateway']);
  company = await platform.company();
  client = createClient({ apiKey: company.key, baseUrl: platform.baseUrl });
  applicationId = (await client.applications.create({ application_name: 'Shop' })).id;
  agentId = (await client.agents.create({ application_id: applicationId, agent_name: 'Helper' })).id;
}, 120_000);
afterAll(() => platform.stop(), 40_000);

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** The TypeScript examples of a page. */
function examplesOf(page: string): string[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);
}

describe('a client without options', () => {
  const { SIGNALBOX_API_KEY, SIGNALBOX_URL } = process.env;
  afterEach(() => {
    for (const [name, value] of Object.entries({ SIGNALBOX_API_KEY, SIGNALBOX_URL }))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  });

  it('takes the key and the address of the environment, with the path of the API or without it', async () => {
    process.env.SIGNALBOX_API_KEY = company.key;
    for (const url of [platform.baseUrl, `${platform.baseUrl.replace(/\/api\/v1$/, '')}/`]) {
      process.env.SIGNALBOX_URL = url;
      expect((await createClient().apiKeys.getCurrent()).company.id).toBe(company.companyId);
    }
    await expect(createClient({ apiKey: 'svk_other' }).apiKeys.getCurrent()).rejects.toMatchObject({ status: 401 });
  });

  it('says that it has no key', () => {
    delete process.env.SIGNALBOX_API_KEY;
    expect(() => createClient()).toThrow('no API key: pass apiKey or set SIGNALBOX_API_KEY');
  });
});

describe('the examples of the pages', () => {
  it.each([
    ['libs/sdk/README.md', [/hello[^]*task\.started[^]*task\.completed\nHelper\n$/]],
    [
      'docs/sdk/typescript.md',
      [/hello[^]*task\.started[^]*task\.completed\nHelper\n$/, /^404 agent not found [\w-]{36}\n$/],
    ],
    ['docs/sdk/webhooks.md', [/^agent\.created 7\n204\n401\n$/]],
  ])(
    'in %s run',
    async (page, expected) => {
      const folder = mkdtempSync(join(ROOT, '.cache', 'examples-'));
      const outputs: string[] = [];
      for (const [at, code] of examplesOf(page).entries()) {
        const text = code.replace("'http://127.0.0.1:3000/api/v1'", 'process.env.SIGNALBOX_URL');
        const { outputText } = ts.transpileModule(text, {
          compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext },
        });
        writeFileSync(join(folder, `${at}.mjs`), outputText);
        const env = {
          ...process.env,
          KEY: company.key,
          SIGNALBOX_API_KEY: company.key,
          SIGNALBOX_URL: platform.baseUrl,
        };
        outputs.push((await run(process.execPath, [join(folder, `${at}.mjs`)], { env })).stdout);
      }
      rmSync(folder, { recursive: true });
      expect(outputs).toEqual(expected.map((each) => expect.stringMatching(each) as string));
    },
    60_000,
  );
});

describe('the client against the platform', () => {
  it('creates, reads, changes, lists and deletes', async () => {
    const names = ['a', 'b', 'c', 'd', 'e'];
    for (const agent_name of names) await client.agents.create({ application_id: applicationId, agent_name });
    const listed = await client.agents.list({ application_id: applicationId, limit: 2, sort: 'id' }).all();
    expect(listed.map(({ agent_name }) => agent_name)).toEqual(['Helper', ...names]);
    const last = listed.at(-1)?.id ?? 0;
    expect(await client.agents.update({ agent_id: last, description: null, max_iterations: 3 })).toMatchObject({
      max_iterations: 3,
    });
    const tag = await client.tags.create({ tag_name: 'gone soon' });
    expect(await client.tags.delete({ tag_id: tag.id })).toEqual({ id: tag.id, deleted: true });
    await expect(client.tags.get({ tag_id: tag.id })).rejects.toBeInstanceOf(NotFoundError);
  });

  it('throws the error of a refused call with its details', async () => {
    const create = client.agents.create({ application_id: applicationId, agent_name: '' });
    await expect(create).rejects.toBeInstanceOf(BadRequestError);
    await expect(create).rejects.toMatchObject({
      details: [{ field: 'agent_name' }],
      requestId: expect.any(String) as string,
    });
    const again = client.agents.create({ application_id: applicationId, agent_name: 'Helper' });
    await expect(again).rejects.toBeInstanceOf(ConflictError);
  });

  it('lets a call under one idempotency key take effect once', async () => {
    const options = { idempotencyKey: randomUUID() };
    const input = { application_id: applicationId, agent_name: 'Once' };
    const [first, second] = [await client.agents.create(input, options), await client.agents.create(input, options)];
    expect(second.id).toBe(first.id);
  });

  it('invokes an agent, follows it, and reads its stream again from an event', async () => {
    const reply = await client.agents.invoke({ agent_id: agentId, message: 'hello' });
    expect(reply.choices?.[0]?.message.content).toContain('hello');
    const events = await collect(client.agents.invoke({ agent_id: agentId, message: 'hello', stream: true }));
    expect([events[0]?.type, events.at(-1)?.type]).toEqual(['task.started', 'task.completed']);
    const call = { agent_id: agentId, task_id: reply.task_id };
    const all = await collect(client.agents.streamTask(call));
    const rest = await collect(client.agents.streamTask(call, { lastEventId: '1' }));
    expect(rest).toEqual(all.slice(1));
  });

  it('streams a chat completion', async () => {
    const chunks = await collect(
      client.chat.create({ model: 'simulated-echo', messages: [{ role: 'user', content: 'hello' }], stream: true }),
    );
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toContain('hello');
    const whole = await client.chat.create({ model: 'simulated-echo', messages: [{ role: 'user', content: 'hello' }] });
    expect(whole).toMatchObject({ object: 'chat.completion', request_id: expect.any(String) as string });
  });

  it('follows the events of the company until it leaves the loop', async () => {
    const stream = client.webhooks.streamEvents({ events: ['application.created'] })[Symbol.asyncIterator]();
    const next = stream.next();
    // The stream shows what happens after it is open; a repeated creation is seen sooner or later.
    let seen = false;
    const made = (async () => {
      for (let at = 0; !seen; at++) {
        await client.applications.create({ application_name: `seen ${at}` });
        await client.applications.list({ limit: 1 });
      }
    })();
    const { value } = await next.finally(() => void (seen = true));
    await made;
    await stream.return?.(undefined);
    expect(value).toMatchObject({ event: 'application.created' });
  });

  it('stores an artifact that is sent in a form', async () => {
    const script = 'function execute(ctx) { return ctx.input; }';
    const workflow = await client.workflows.create({ workflow_name: 'Copy', workflow_ref_name: 'copy', script });
    const place = { workflow_id: workflow.id };
    const file = new Uint8Array([0, 1, 254, 255]);
    const artifact = await client.workflows.putArtifact({ ...place, key: 'a.bin', file });
    expect(artifact).toMatchObject({ key: 'a.bin', size_bytes: 4 });
    const download = await client.workflows.getArtifactContent({ ...place, artifact_id: artifact.id });
    expect([...(await download.bytes())]).toEqual([...file]);
  });

  it('uploads a file and downloads it', async () => {
    const { id } = await client.testSets.create({ name: 'Files' });
    const rows = ['one', 'two'].map((text) => JSON.stringify({ input: { input: text }, expected_output: { text } }));
    const file = `${rows.join('\n')}\n`;
    expect(await client.testSets.importFile({ test_set_id: id, file })).toMatchObject({ created: 2, errors: [] });
    const blob = new Blob([file]);
    expect(await client.testSets.importFile({ test_set_id: id, file: blob })).toMatchObject({ created: 2 });
    const download = await client.testSets.export({ test_set_id: id });
    expect(download.contentType).toContain('application/jsonl');
    const text = await download.text();
    expect(text.trim().split('\n')).toHaveLength(4);
    const streamed = await client.testSets.export({ test_set_id: id });
    expect(
      (await collect(streamed.stream as unknown as AsyncIterable<Uint8Array>))
        .map((part) => Buffer.from(part).toString())
        .join(''),
    ).toBe(text);
  });
});
