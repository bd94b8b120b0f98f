import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startHttpTarget, type TargetReply } from '@signalbox/testing';
import { folder, json, signalbox } from './fixture.js';

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

describe('a time limit', () => {
  const made: TargetReply = { body: '{"data":{"id":1}}' };
  const running: TargetReply = {
    body: '{"data":{"id":1,"status":"RUNNING","processed":0,"total_requests":1,"errors":0}}',
  };

  it.each<[string, string[], TargetReply[]]>([
    ['a run that is followed', ['tags', 'create-run', '1', '--follow'], [made, running]],
    ['a stream that does not begin', ['workflows', 'execute', '1', '--follow'], [{ hang: true }]],
  ])('ends %s', async (_what, words, replies) => {
    const target = await startHttpTarget({ script: (_call, at) => replies[at] ?? replies.at(-1) ?? {} });
    const ended = await signalbox([...words, '--timeout', '1'], { env: { SIGNALBOX_URL: target.url } });
    await target.close();
    const stderr = expect.stringContaining('it has not ended within 1 s') as string;
    expect(ended).toMatchObject({ code: 6, stderr });
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
