import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Platform, type TestCompany } from '@signalbox/testing';
import { REPOSITORY } from '../src/launcher/services.js';

interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

let platform: Platform;
let company: TestCompany;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'api-commands-'));
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'test-runs', 'gateway']);
  company = await platform.company();
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await platform.stop();
}, 40_000);

/** Runs a command with the key of the company, unless the environment says otherwise. */
function signalbox(words: string[], { stdin = '', env = {} }: { stdin?: string; env?: Record<string, string> } = {}) {
  const environment = { SIGNALBOX_API_KEY: company.key, SIGNALBOX_URL: platform.baseUrl, XDG_CONFIG_HOME: folder };
  const child = spawn(process.execPath, [join(REPOSITORY, 'apps/cli/bin/signalbox.mjs'), ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...environment, ...env },
  });
  child.stdin.end(stdin);
  const result: Result = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (part: Buffer) => void (result.stdout += part.toString()));
  child.stderr.on('data', (part: Buffer) => void (result.stderr += part.toString()));
  return new Promise<Result>((resolve) => child.on('close', (code) => resolve({ ...result, code })));
}

async function json<T>(words: string[]): Promise<T> {
  const { code, stdout, stderr } = await signalbox([...words, '--json']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as T;
}

let applicationId: number;
let agentId: number;

describe('commands of the API', () => {
  it('create, get, change, list and delete', async () => {
    applicationId = (await json<{ id: number }>(['applications', 'create', 'Shop'])).id;
    const words = ['agents', 'create', '--application-id', String(applicationId), '--agent-name', 'Helper'];
    const agent = await json<{ id: number; max_iterations: number }>([...words, '--max-iterations=7']);
    agentId = agent.id;
    expect(agent.max_iterations).toBe(7);
    const one = await signalbox(['agents', 'get', String(agentId)]);
    expect(one.stdout).toMatch(/^agent_name +Helper$/m);
    writeFileSync(join(folder, 'prompt.txt'), 'You help.\nAlways.');
    const changed = await json<{ system_prompt: string; description: null }>([
      ...['agents', 'update', String(agentId), '--system-prompt', '@prompt.txt', '--description', 'null'],
    ]);
    expect(changed).toMatchObject({ system_prompt: 'You help.\nAlways.', description: null });
    const listed = await signalbox(['agents', 'list', '--status', 'ENABLED,DISABLED', '--columns', 'id,agent_name']);
    expect(listed.stdout).toBe(
      `id${' '.repeat(Math.max(2, String(agentId).length))}agent_name\n${String(agentId).padEnd(2)}  Helper\n`,
    );
    const tag = await json<{ id: number }>(['tags', 'create', '--data', '{"tag_name":"t","color":"#112233"}']);
    expect(await json(['tags', 'delete', String(tag.id)])).toEqual({ id: tag.id, deleted: true });
  });

  it('read the body from standard input and go through all pages', async () => {
    for (const tag_name of ['a', 'b', 'c'])
      expect((await signalbox(['tags', 'create', '-d', '-'], { stdin: JSON.stringify({ tag_name }) })).code).toBe(0);
    const all = await json<{ data: unknown[]; pagination: object }>(['tags', 'list', '--limit', '2', '--all']);
    expect([all.data.length, all.pagination]).toEqual([3, { total: 3, offset: 0, limit: 3 }]);
    const names = await signalbox(['tags', 'list', '--sort', 'id', '--only', 'tag_name']);
    expect(names.stdout).toBe('a\nb\nc\n');
    const first = await signalbox(['tags', 'list', '--limit', '2']);
    expect(first.stderr).toBe('1 to 2 of 3; --offset 2 shows the next\n');
  });

  it('exit with a code that says what went wrong', async () => {
    const cases: [string[], number, string][] = [
      [['agents', 'get', '2147483647'], 4, 'agent not found (404, request '],
      [['agents', 'get', 'seven'], 2, '--agent_id must be a whole number'],
      [['applications', 'create', 'Shop'], 5, '(409, request '],
      [['robots', 'list'], 2, 'signalbox has no command "robots"'],
    ];
    for (const [words, code, message] of cases) {
      const result = await signalbox(words);
      expect({ words, code: result.code, message: result.stderr }).toEqual({
        words,
        code,
        message: expect.stringContaining(message) as string,
      });
    }
    const noKey = await signalbox(['agents', 'list'], { env: { SIGNALBOX_API_KEY: 'wrong' } });
    expect([noKey.code, noKey.stderr]).toEqual([3, expect.stringContaining('company_id is missing') as string]);
  }, 30_000);

  it('show an answer while it is made, and the events of a task', async () => {
    const asked = await signalbox(['agents', 'invoke', String(agentId), 'hello', '--follow']);
    expect(asked.stdout).toMatch(/task\.started.*\n(.*\n)*.*hello.*\n(.*\n)*.*task\.completed/);
    const { task_id } = await json<{ task_id: string }>(['agents', 'invoke', String(agentId), 'hello']);
    const events = await signalbox(['agents', 'stream-task', String(agentId), task_id, '--json']);
    const types = events.stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect([types[0], types.at(-1)]).toEqual(['task.started', 'task.completed']);
    const chat = [
      'chat',
      'create',
      '--model',
      'simulated-echo',
      '--messages',
      '[{"role":"user","content":"good day"}]',
    ];
    expect((await signalbox([...chat, '--follow'])).stdout).toContain('good day');
  }, 30_000);

  it('upload, run with a progress bar and download', async () => {
    const set = await json<{ id: number }>(['test-sets', 'create', 'Greetings']);
    const rows = ['one', 'two'].map((content) => ({ input: { messages: [{ role: 'user', content }] } }));
    writeFileSync(join(folder, 'rows.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const uploaded = await json<{ created: number }>([
      'test-sets',
      'import-file',
      String(set.id),
      '--file',
      'rows.jsonl',
    ]);
    expect(uploaded.created).toBe(2);
    const run = await json<{ id: number }>([
      ...['test-runs', 'create', '--test-set-id', String(set.id), '--consumer-kind', 'MODEL'],
      ...['--consumer-config', '{"model":"simulated-echo"}'],
    ]);
    expect((await signalbox(['test-runs', 'prepare', String(run.id)])).code).toBe(0);
    const followed = await signalbox(['test-runs', 'execute', String(run.id), '--follow']);
    expect({ code: followed.code, stderr: followed.stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('[##############################] 100 %  2/2\n') as string,
    });
    const printed = await signalbox(['test-sets', 'export', String(set.id)]);
    expect(printed.stdout.trim().split('\n')).toHaveLength(2);
    await signalbox(['test-sets', 'export', String(set.id), '-o', 'out.jsonl']);
    expect(readFileSync(join(folder, 'out.jsonl'), 'utf8')).toBe(printed.stdout);
  }, 60_000);
});

describe('a run without a stream', () => {
  it('is polled with a progress bar until it ends', async () => {
    const tag = await json<{ id: number }>(['tags', 'create', 'polled']);
    const conditions = '{"kind":"group","op":"AND","children":[]}';
    const rule = await json<{ id: number }>([
      ...['tags', 'create-rule', '--rule-name', 'all', '--tag-id', String(tag.id), '--conditions', conditions],
    ]);
    const followed = await signalbox(['tags', 'create-run', '--rule-ids', String(rule.id), '--follow']);
    expect({ code: followed.code, stderr: followed.stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^(\[.*\n)*\[#{30}\] 100 %  (\d+)\/\2\n$/) as string,
    });
  }, 30_000);
});

describe('login', () => {
  const none = { SIGNALBOX_API_KEY: '', DATA_DIR: '/nowhere' };
  const file = (): string => join(folder, 'signalbox', 'credentials.json');

  it('stores a key that works, readable by its owner alone, and refuses another', async () => {
    expect(await signalbox(['login'], { stdin: 'svk_wrong', env: none })).toMatchObject({ code: 3 });
    expect(() => statSync(file())).toThrow('ENOENT');
    const stored = await signalbox(['login', '--url', platform.baseUrl], { stdin: `${company.key}\n`, env: none });
    expect(stored).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`company ${company.companyId}`) as string,
    });
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
    expect(stored.stdout).not.toContain(company.key);
  });

  it('lets commands find the key, which no other address receives, until logout', async () => {
    const who = await signalbox(['whoami'], { env: none });
    expect(who.stdout).toContain(`of company ${company.companyId}`);
    const elsewhere = await signalbox(['whoami'], { env: { ...none, SIGNALBOX_URL: 'http://127.0.0.1:1' } });
    expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining('no API key') as string });
    await signalbox(['logout'], { env: none });
    expect(await signalbox(['whoami'], { env: none })).toMatchObject({ code: 2 });
  });
});

describe('completion', () => {
  it('works in bash', async () => {
    const { stdout } = await signalbox(['completion', 'bash']);
    const path = join(folder, 'signalbox');
    rmSync(path, { recursive: true, force: true });
    const script = `signalbox() { ${process.execPath} ${join(REPOSITORY, 'apps/cli/bin/signalbox.mjs')} "$@"; }
${stdout}
COMP_WORDS=(signalbox agents publ); COMP_CWORD=2; _signalbox; echo "\${COMPREPLY[@]}"`;
    const bash = spawn('bash', ['--norc', '-c', script], { env: { PATH: process.env.PATH ?? '' } });
    let text = '';
    bash.stdout.on('data', (part: Buffer) => void (text += part.toString()));
    await new Promise((resolve) => bash.on('close', resolve));
    expect(text).toBe('publish-version\n');
  });
});
