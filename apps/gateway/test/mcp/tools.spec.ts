import { type Scope, tasks } from '@signalbox/contracts';
import { connectMcp, type Era, keyWith } from './client.js';
import { admin, build, call, companyId, newAgent, platform, using } from './fixture.js';

const ADDRESSES = ['/mcp', '/mcp/run', '/mcp/build'];
const READ = [
  'find',
  'search_api',
  'describe_api',
  'read_api',
  'get_run',
  'explain_run',
  'compare_runs',
  'check_release',
];
const RUN = ['invoke', 'execute', 'run_tests'];
const BUILD = ['write_api', 'publish', 'move_release'];

const names = (path: string, key: string, era: Era): Promise<string[]> =>
  using(connectMcp(platform, path, key, era), async (client) =>
    (await client.listTools()).tools.map(({ name }) => name).sort(),
  );

describe('the tools of a caller', () => {
  it.each<[Scope[], string[][]]>([
    [
      ['read', 'write', 'invoke', 'admin'],
      [READ, [...READ, ...RUN], [...READ, ...RUN, ...BUILD]],
    ],
    [['read'], [READ, READ, READ]],
    [['invoke'], [[], RUN, RUN]],
    [
      ['read', 'write'],
      [READ, READ, [...READ, ...BUILD]],
    ],
    [['admin'], [[], [], []]],
  ])('with the scopes %j are those of the scopes and the address, in both eras', async (scopes, expected) => {
    const key = await keyWith(platform, companyId, scopes);
    for (const era of ['modern', 'legacy'] as const)
      for (const [at, path] of ADDRESSES.entries())
        expect(await names(path, key, era)).toEqual([...(expected[at] ?? [])].sort());
  });

  it('take at most 4,000 tokens to list', async () => {
    const { tools } = await build.listTools();
    expect(tools.length).toBeLessThanOrEqual(16);
    // Each word, digit and mark on its own: no tokenizer makes more of it.
    const tokens = JSON.stringify(tools).match(/[A-Za-z]{1,8}|\d|[^\sA-Za-z\d]+/g)?.length ?? 0;
    expect(tokens).toBeGreaterThan(500);
    expect(tokens).toBeLessThanOrEqual(4000);
  });

  it.each(['modern', 'legacy'] as const)('are not callable without their scope, in the %s era', async (era) => {
    const key = await keyWith(platform, companyId, ['read']);
    await using(connectMcp(platform, '/mcp/build', key, era), async (client) => {
      for (const name of [...RUN, ...BUILD, 'admin', '__proto__', 'constructor'])
        await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(/not found|disabled/);
    });
    await using(connectMcp(platform, '/mcp', admin, era), async (client) => {
      await expect(client.callTool({ name: 'invoke', arguments: {} })).rejects.toThrow(/not found/);
    });
  });
});

describe('other companies', () => {
  it('are unknown to every tool', async () => {
    const other = await platform.company();
    const foreign = await newAgent(other.companyId);
    const task = await platform.bus.call(
      tasks.endpoints.invokeAgent,
      { agent_id: foreign, message: 'x', wait: false } as never,
      platform.caller(other.companyId),
    );
    const calls: [string, object][] = [
      ['read_api', { path: `/agents/${foreign}` }],
      ['write_api', { method: 'DELETE', path: `/agents/${foreign}` }],
      ['invoke', { agent_id: foreign, message: 'x' }],
      ['publish', { kind: 'agent', id: foreign }],
      ['move_release', { kind: 'agent', id: foreign, release: 'live', version: '1.0.0' }],
      ['check_release', { kind: 'agent', id: foreign, release: 'live', version: '1.0.0' }],
      ['get_run', { id: task.task_id }],
      ['explain_run', { id: task.task_id }],
    ];
    for (const [name, args] of calls)
      expect([name, await call(name, args)]).toEqual([
        name,
        expect.objectContaining({ isError: true, text: expect.stringMatching(/^404/) }),
      ]);
  });
});
