import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Platform, startHttpTarget, type TargetReply, type TestCompany } from '@signalbox/testing';
import { parse } from 'yaml';
import { SIGNALBOX, startCommand } from './command-line.js';

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
});

/** Runs a command with the key of the company, unless the environment says otherwise. */
function signalbox(words: string[], { stdin = '', env = {} }: { stdin?: string; env?: Record<string, string> } = {}) {
  const environment = { SIGNALBOX_API_KEY: company.key, SIGNALBOX_URL: platform.baseUrl, XDG_CONFIG_HOME: folder };
  return startCommand(words, folder, { ...environment, ...env }, stdin).ended;
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

  it.each([
    [['--limit', '1', '--offset', '1'], '2 to 2 of 3; --offset 2 shows the next\n'],
    [['--limit', '2', '--offset', '2'], '3 to 3 of 3\n'],
    [['--offset', '3'], 'nothing from 4 on: there are 3\n'],
    [[], ''],
  ])('say which part of a list %j is, and how to see the next', async (page, said) => {
    expect((await signalbox(['tags', 'list', ...page])).stderr).toBe(said);
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
  });

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
    const timeline = ['agents', 'list-task-timeline', String(agentId), task_id, '--limit', '1', '--all', '-o', 'csv'];
    const { stdout, stderr } = await signalbox(timeline);
    // The first page has one event, which lacks what the event of a model call has.
    expect([stdout.split('\r\n')[0]?.split(','), stderr]).toEqual([expect.arrayContaining(['type', 'model']), '']);
    const chat = [
      'chat',
      'create',
      '--model',
      'simulated-echo',
      '--messages',
      '[{"role":"user","content":"good day"}]',
    ];
    expect((await signalbox([...chat, '--follow'])).stdout).toContain('good day');
  });

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

describe('a platform that is lost', () => {
  const create = ['applications', 'create', 'Lost', '--timeout', '1'];
  const download = ['test-sets', 'export', '1', '-o', 'kept.jsonl'];
  const broken: TargetReply = { headers: { 'content-length': '1000', connection: 'close' }, body: 'x' };
  const running: TargetReply = { status: 409, headers: { 'retry-after': '0' }, body: '{}' };

  it.each<[string, string[], TargetReply[]]>([
    ['while it makes something, and still makes it when asked again', create, [{ hang: true }, running]],
    ['in a download, which changes no file', download, [broken]],
  ])('%s is exit code 6', async (_when, words, replies) => {
    const target = await startHttpTarget({ script: (_call, at) => replies[at] ?? replies.at(-1) ?? {} });
    writeFileSync(join(folder, 'kept.jsonl'), 'before');
    const failed = await signalbox(words, { env: { SIGNALBOX_URL: target.url } });
    await target.close();
    expect(failed.code).toBe(6);
    const kept = readdirSync(folder).filter((name) => name.startsWith('kept'));
    expect([kept, readFileSync(join(folder, 'kept.jsonl'), 'utf8')]).toEqual([['kept.jsonl'], 'before']);
  });
});

describe('a test run that is followed', () => {
  it('exits with 5 when items failed', async () => {
    const { id: providerId } = await json<{ id: number }>(['models', 'create-provider', 'pretended', 'simulated']);
    const model = await json<{ id: number }>(['models', 'create', 'soon-disabled', String(providerId)]);
    const set = await json<{ id: number }>(['test-sets', 'create', 'Failing']);
    await json([
      'test-sets',
      'create-item',
      String(set.id),
      '--data',
      '{"input":{"messages":[{"role":"user","content":"good day"}]}}',
    ]);
    const run = await json<{ id: number }>([
      ...['test-runs', 'create', '--test-set-id', String(set.id), '--consumer-kind', 'MODEL'],
      ...['--consumer-config', '{"model":"soon-disabled"}'],
    ]);
    await json(['test-runs', 'prepare', String(run.id)]);
    await json(['models', 'disable', String(model.id)]);
    const followed = await signalbox(['test-runs', 'execute', String(run.id), '--follow']);
    expect(followed).toMatchObject({ code: 5, stderr: expect.stringContaining('1/1  1 failed') as string });
  }, 60_000);
});

describe('the output of commands', () => {
  const tags = ['output, "1"', 'output 2', 'output 3'];
  beforeAll(async () => {
    for (const tag of tags) await json(['tags', 'create', tag]);
  });
  const list = ['tags', 'list', '--search', 'output', '--sort', 'id', '--limit', '2'];

  it('is YAML of one record and of a page', async () => {
    const [{ stdout: page }, expected] = [await signalbox([...list, '-o', 'yaml']), await json(list)];
    expect(parse(page)).toEqual(expected);
    const { stdout: record } = await signalbox(['agents', 'get', String(agentId), '--output=yaml']);
    expect(parse(record)).toEqual(await json(['agents', 'get', String(agentId)]));
  });

  it('is CSV of a page and of all pages, below the names of the fields once', async () => {
    const columns = ['--columns', 'tag_name,description'];
    const page = await signalbox([...list, '-o', 'csv', ...columns]);
    expect([page.stdout, page.stderr]).toEqual([
      'tag_name,description\r\n"output, ""1""",\r\noutput 2,\r\n',
      '1 to 2 of 3; --offset 2 shows the next\n',
    ]);
    const all = (await signalbox([...list, '-o', 'csv', '--all'])).stdout.split('\r\n');
    expect(all[0]?.split(',')).toContain('tag_name');
    expect(all).toHaveLength(tags.length + 2);
  });

  it('may be asked for by known words only', async () => {
    const refused = await signalbox([...list, '-o', 'xml']);
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('one of table, json, yaml, csv') as string,
    });
  });

  it('is the version of the command line', async () => {
    expect((await signalbox(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('a command that destroys something for ever', () => {
  const runOf = async (): Promise<string> => {
    const set = await json<{ id: number }>(['test-sets', 'create', `Destroyed ${Math.random()}`]);
    const words = ['test-runs', 'create', String(set.id), '--consumer-kind', 'MODEL'];
    return String((await json<{ id: number }>([...words, '--consumer-config', '{"model":"simulated-echo"}'])).id);
  };

  it('is refused without a terminal, and done with --yes', async () => {
    const id = await runOf();
    const refused = await signalbox(['test-runs', 'delete', id]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('repeat it with --yes') as string });
    expect((await signalbox(['test-runs', 'get', id])).code).toBe(0);
    expect((await signalbox(['test-runs', 'delete', id, '--yes'])).code).toBe(0);
    expect((await signalbox(['test-runs', 'get', id])).code).toBe(4);
  });

  it.each([
    ['no', 2, 0],
    ['yes', 0, 4],
  ])(
    'asks on a terminal, and takes %s',
    async (answer, code, then) => {
      const id = await runOf();
      const command = `${process.execPath} ${SIGNALBOX} test-runs delete ${id}`;
      const env = { SIGNALBOX_API_KEY: company.key, SIGNALBOX_URL: platform.baseUrl, PATH: process.env.PATH };
      const terminal = spawn('script', ['-qec', command, '/dev/null'], { env });
      let asked = '';
      terminal.stdout.on('data', (part: Buffer) => {
        const before = asked;
        asked += part.toString();
        if (!before.includes('go on: ') && asked.includes('go on: ')) terminal.stdin.write(`${answer}\n`);
      });
      const ended = await new Promise((resolve) => terminal.on('close', resolve));
      expect([ended, asked]).toEqual([code, expect.stringContaining('This destroys the test run') as string]);
      expect((await signalbox(['test-runs', 'get', id])).code).toBe(then);
    },
    30_000,
  );
});

describe('an evaluation', () => {
  const HOSTILE = '<b>|`x`|</b>\n@everyone [link](http://x)';
  const item = (set: number, content: string, text: string) =>
    json<{ id: number }>([
      ...['test-sets', 'create-item', String(set), JSON.stringify({ messages: [{ role: 'user', content }] })],
      ...['--expected-output', JSON.stringify({ text })],
    ]);
  const evaluate = (words: string[], env = {}) => signalbox(['eval', '--set', 'Evaluated', ...words], { env });
  const file = (name: string): string => readFileSync(join(folder, name), 'utf8');
  let set: number;
  let second: number;
  beforeAll(async () => {
    set = (await json<{ id: number }>(['test-sets', 'create', 'Evaluated'])).id;
    await item(set, 'one', '[simulated] one');
    second = (await item(set, HOSTILE, `[simulated] ${HOSTILE}`)).id;
  });

  it('exits with 0 when all is well, and writes its reports', async () => {
    const green = await evaluate(['--model', 'simulated-echo', '--junit', 'made/for/j.xml', '--markdown', 'm.md']);
    expect({ code: green.code, stderr: green.stderr }).toEqual({ code: 0, stderr: '' });
    expect(green.stdout).toMatch(/^test run \d+: passed\nmatch rate +100 %\nitems +2, matched 2, errors 0\n$/);
    expect(file('made/for/j.xml')).toContain('tests="2" failures="0" errors="0" skipped="0"');
    expect(file('m.md')).toContain('### Passed: simulated-echo against Evaluated');
  });

  it('exits with 5 below the bar, and shows what became worse', async () => {
    await signalbox([
      ...['test-sets', 'update-item', String(set), String(second)],
      ...['--expected-output', JSON.stringify({ text: HOSTILE })],
    ]);
    const red = await evaluate(['--model', 'simulated-echo', '--markdown', 'm.md', '--baseline', 'last']);
    expect(red.code).toBe(5);
    expect(red.stdout).toContain('the match rate is 50 %, below 90 %');
    expect(red.stdout).toMatch(/^match rate +50 %, 100 % in run \d+ \(too few\)$/m);
    expect(red.stdout).toMatch(new RegExp(`Regressions since run \\d+\nitem .*\n${second} +PASS +FAIL`));
    const markdown = file('m.md');
    expect(markdown).toMatch(
      new RegExp(`^\\| ${second} \\| PASS \\| FAIL \\| [^|\n<@\\[\`]+ \\| [^|\n<@\\[\`]+ \\| - \\|$`, 'm'),
    );
    const accepted = await evaluate(['--model', 'simulated-echo', '--min-match-rate', '0.5', '--json']);
    expect(accepted.code).toBe(0);
    const { compared_with, worse } = JSON.parse(accepted.stdout) as { compared_with: object; worse: object[] };
    expect([compared_with, worse]).toMatchObject([{ match_rate: 0.5 }, []]);
    // What failed before and fails again is no regression, and still the reason.
    const again = await evaluate(['--model', 'simulated-echo', '--markdown', 'm.md']);
    expect([again.code, again.stdout]).toEqual([
      5,
      expect.stringMatching(new RegExp(`Items that do not pass\nitem .*\n${second} +FAIL`)) as string,
    ]);
    expect(file('m.md')).toMatch(new RegExp(`^Items that do not pass$[^]*^\\| ${second} \\| - \\| FAIL`, 'm'));
  });

  it('exits with 5 when the gate of the release refuses the version', async () => {
    const policy = JSON.stringify({ test_set_id: set, min_match_rate: 0.9, max_age_ms: 86_400_000 });
    await json(['agents', 'publish-version', String(agentId)]);
    await json(['agents', 'create-release', String(agentId), 'gated', '1.0.0']);
    await json(['agents', 'update-release', String(agentId), 'gated', '--gate-policy', policy]);
    const words = ['--agent', 'Helper', '--version', '1.0.0', '--release', 'gated', '--min-match-rate', '0'];
    // A pipeline that changes nothing.
    const { key } = await json<{ key: string }>(['api-keys', 'create', 'CI', '--scopes', 'read,invoke']);
    const refused = await evaluate(words, { SIGNALBOX_API_KEY: key });
    expect([refused.code, refused.stdout]).toEqual([
      5,
      expect.stringMatching(/^ {2}gate: the match rate of/m) as string,
    ]);
    expect(refused.stdout).toMatch(/^gate +refused$/m);
  });

  it('exits with 1 when the run shows nothing', async () => {
    await json(['test-sets', 'create', 'Nothing']);
    const failed = await signalbox(['eval', '--set', 'Nothing', '--model', 'simulated-echo', '--junit', 'j.xml']);
    expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('has no scored item') as string]);
    expect(file('j.xml')).toContain('tests="0"');
    const { id: partly } = await json<{ id: number }>(['test-sets', 'create', 'Partly']);
    await item(partly, 'one', '[simulated] one');
    const content = JSON.stringify({ messages: [{ role: 'user', content: 'two' }] });
    await json(['test-sets', 'create-item', String(partly), content]);
    const unscored = await signalbox(['eval', '--set', 'Partly', '--model', 'simulated-echo']);
    expect([unscored.code, unscored.stdout]).toEqual([1, expect.stringContaining('1 items have no verdict') as string]);
  });

  it('says which words are wrong, and starts nothing', async () => {
    const before = (await json<{ pagination: { total: number } }>(['test-runs', 'list'])).pagination.total;
    const cases: [string[], number, string][] = [
      [[], 2, 'needs one of --agent, --workflow, --model and --url'],
      [['--agent', 'Nobody'], 2, 'there is no agent with the name "Nobody"'],
      [['--model', 'm', '--release', 'x'], 2, 'a model has no --version and no --release'],
      [['--url', 'http://x/', '--agent', 'Helper', '--release', 'gated'], 2, '--release with --url needs --version'],
      [['--model', 'm', '--min-match-rate', '90'], 2, '--min-match-rate must be a number from 0 to 1'],
      [['--agent', 'Helper', '--secret', 'ABSENT'], 2, 'no environment variable'],
      [['--model', 'simulated-echo', '--junit', '/dev/null/j.xml'], 2, '/dev/null/j.xml cannot be written'],
      [['--model', 'nobody'], 4, 'model not found'],
      [['--model', 'simulated-echo', '--baseline', '2000000000'], 4, 'test run not found'],
    ];
    for (const [words, code, message] of cases)
      expect({ words, ...(await evaluate(words)) }).toMatchObject({
        words,
        code,
        stderr: expect.stringContaining(message) as string,
      });
    expect((await json<{ pagination: { total: number } }>(['test-runs', 'list'])).pagination.total).toBe(before);
    expect((await signalbox(['eval', '--help'])).stdout).toContain('--min-match-rate');
  });
});

describe('a run without a stream', () => {
  it('is polled with a progress bar until it ends', async () => {
    const tag = await json<{ id: number }>(['tags', 'create', 'polled']);
    const conditions = '{"kind":"group","op":"AND","children":[]}';
    const rule = await json<{ id: number }>([
      ...['tags', 'create-rule', '--rule-name', 'all', '--tag-id', String(tag.id), '--conditions', conditions],
    ]);
    const words = ['tags', 'create-run', '--rule-ids', String(rule.id), '--follow'];
    const followed = await signalbox([...words, '--json']);
    expect({ code: followed.code, stderr: followed.stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^(\[.*\n)*\[#{30}\] 100 %  (\d+)\/\2\n$/) as string,
    });
    const { id, status } = JSON.parse(followed.stdout) as { id: number; status: string };
    expect(status).toBe('COMPLETED');
    expect(Number((await signalbox([...words, '--only', 'id'])).stdout)).toBeGreaterThan(id);
  });
});

describe('login', () => {
  const none = { SIGNALBOX_API_KEY: '', DATA_DIR: '/nowhere' };
  const file = (): string => join(folder, 'signalbox', 'credentials.json');

  it('stores a key that works, readable by its owner alone, and refuses another', async () => {
    expect(await signalbox(['login'], { stdin: 'svk_wrong', env: none })).toMatchObject({ code: 3 });
    expect(() => statSync(file())).toThrow('ENOENT');
    const login = startCommand(
      ['login', '--url', platform.baseUrl],
      folder,
      { XDG_CONFIG_HOME: folder, ...none },
      null,
    );
    // The key may arrive long after the command has begun to read.
    await pause(2_000);
    login.child.stdin?.end(`${company.key}\n`);
    const stored = await login.ended;
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

describe('profiles', () => {
  const none = { SIGNALBOX_API_KEY: '', SIGNALBOX_URL: '', DATA_DIR: '/nowhere' };
  const profile = (words: string[], stdin = '') => signalbox(['profile', ...words], { stdin, env: none });
  const whoami = async (words: string[] = [], env = {}) =>
    (await signalbox(['whoami', ...words], { env: { ...none, ...env } })).stdout;
  const file = (): string => join(folder, 'signalbox', 'credentials.json');
  let other: TestCompany;
  beforeAll(async () => {
    other = await platform.company();
  });

  it('keep keys under names, readable by their owner alone and never shown', async () => {
    const add = ['add', 'first', '--url', platform.baseUrl];
    expect(await profile(add, 'svk_wrong')).toMatchObject({ code: 3 });
    expect(await profile(add, company.key)).toMatchObject({ code: 0 });
    const more = ['--url', platform.baseUrl, '--portal-url', 'https://portal.example/'];
    expect(await profile(['add', 'second', ...more], other.key)).toMatchObject({ code: 0 });
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
    const listed = await profile(['list', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { profile: 'first', current: true, url: platform.baseUrl, portal: platform.baseUrl.replace('api/v1', '') },
      { profile: 'second', current: false, portal: 'https://portal.example/' },
    ]);
    for (const { key } of [company, other]) expect(listed.stdout).not.toContain(key);
  });

  it('are chosen by --profile, else by the variables, else by use', async () => {
    const [first, second] = [company, other].map(({ companyId }) => `of company ${companyId} `);
    expect(await whoami()).toContain(first);
    expect(await whoami([], { SIGNALBOX_PROFILE: 'second' })).toContain(second);
    const variables = { SIGNALBOX_API_KEY: company.key, SIGNALBOX_URL: platform.baseUrl };
    expect(await whoami([], { ...variables, SIGNALBOX_PROFILE: 'second' })).toContain(first);
    expect(await whoami(['--profile', 'second'], variables)).toContain(second);
    const agents = await signalbox(['agents', 'list', '--profile=second'], { env: variables });
    expect(agents).toMatchObject({ code: 0, stdout: '(none)\n' });
    expect((await profile(['use', 'second'])).code).toBe(0);
    expect(await whoami()).toContain(second);
  });

  it('are errors when they do not exist, and can be removed', async () => {
    for (const words of [
      ['use', 'third'],
      ['remove', 'third'],
      ['add', '../x'],
      ['rename', 'a'],
    ])
      expect({ words, ...(await profile(words, 'k')) }).toMatchObject({ words, code: 2 });
    const unknown = await signalbox(['agents', 'list', '--profile', 'third'], { env: none });
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('no profile "third"') as string });
    await profile(['remove', 'second']);
    expect(await whoami(['--profile', 'first'])).toContain(`of company ${company.companyId}`);
    await profile(['remove', 'first']);
    expect(() => statSync(file())).toThrow('ENOENT');
  });

  it('read a file from before there were names', async () => {
    writeFileSync(file(), JSON.stringify({ url: platform.baseUrl, key: company.key }));
    expect(await whoami()).toContain(`of company ${company.companyId}`);
    rmSync(file());
  });
});

describe('completion', () => {
  it('works in bash', async () => {
    const { stdout } = await signalbox(['completion', 'bash']);
    const path = join(folder, 'signalbox');
    rmSync(path, { recursive: true, force: true });
    const script = `signalbox() { ${process.execPath} ${SIGNALBOX} "$@"; }
${stdout}
COMP_WORDS=(signalbox agents publ); COMP_CWORD=2; _signalbox; echo "\${COMPREPLY[@]}"`;
    const bash = spawn('bash', ['--norc', '-c', script], { env: { PATH: process.env.PATH ?? '' } });
    let text = '';
    bash.stdout.on('data', (part: Buffer) => void (text += part.toString()));
    await new Promise((resolve) => bash.on('close', resolve));
    expect(text).toBe('publish-version\n');
  });
});
