import { agents, agentVersions, evaluatedRuns, tasks, testSets } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { agentId, company, conduct, CONFIG, platform, program, run, setId, signalbox } from './fixture.js';

describe('a program that runs elsewhere', () => {
  const gate = ['gate', '--agent', 'order desk', '--release', 'production', '--version', '1.0.0'];

  it('passes the gate of a release when a run of its version is good enough', async () => {
    const release = {
      agent_id: agentId,
      name: 'production',
      version: '1.0.0',
      gate_policy: { test_set_id: setId, min_match_rate: 1, max_age_ms: 3_600_000, max_error_rate: 0 },
    };
    const caller = platform.caller(company.companyId);
    const create = () => platform.bus.call(agentVersions.endpoints.createRelease, release as never, caller);
    await expect(create()).rejects.toMatchObject({ kind: 'conflict' });
    const evaluated = await signalbox([
      ...['eval', '--set', 'Orders', '--url', program.url, '--agent', 'order desk', '--version', '1.0.0'],
      ...['--header', 'Authorization: Bearer {{secrets.TOKEN}}', '--secret', 'TOKEN', '--output-path', 'answer.text'],
    ]);
    expect(evaluated).toMatchObject({ code: 0 });
    await create();
    expect(await signalbox(gate)).toEqual({
      code: 0,
      output: 'version 1.0.0 may run under release production\n',
    });
    const publish = { agent_id: agentId, version: '1.1.0' };
    await platform.bus.call(agentVersions.endpoints.publishVersion, publish as never, caller);
    const refused = await signalbox([...gate.slice(0, -1), '1.1.0']);
    expect(refused.code).toBe(5);
    expect(refused.output).toMatch(/may not run under release production:\n {2}\S/);
  }, 120_000);

  it('is refused with a release but without the version that runs there, which the gate would judge', async () => {
    const input = {
      ...{ test_set_id: setId, consumer_kind: 'EXTERNAL', secrets: { TOKEN: 's3cret-token' }, release: 'production' },
      consumer_config: { url: program.url, ...CONFIG, agent_id: agentId },
    };
    const caller = platform.caller(company.companyId);
    await expect(platform.bus.call(evaluatedRuns.endpoints.runTestSet, input as never, caller)).rejects.toMatchObject({
      status: 400,
      extras: { details: [{ field: 'consumer_config.version' }] },
    });
  });

  it('is asked with the filled body, and its trace becomes the task of the item, with trigger TEST', async () => {
    program.calls.length = 0;
    const body_template = { question: '{{input}}', history: '{{messages}}', more: { n: 1 } };
    const item = await run({ agent_id: agentId, version: '1.0.0', body_template });
    expect(item).toMatchObject({ status: 'COMPLETED', actual_output: { text: 'It is on its way.' }, matched: true });
    expect(JSON.parse(program.calls[0]!.body.toString())).toEqual({
      question: 'Where is order 7?',
      history: [{ role: 'user', content: 'Where is order 7?' }],
      more: { n: 1 },
    });
    const { agent_task_id: task_id = '' } = item.source_ref as { agent_task_id?: string };
    const task = await eventually(
      'the task of the item has ended',
      async () => {
        const found = await platform.bus
          .call(tasks.endpoints.getAnyTask, { task_id, wait_seconds: 0 }, platform.caller(company.companyId))
          .catch(() => null);
        return found?.status === 'COMPLETED' ? found : null;
      },
      60_000,
    );
    expect(task).toMatchObject({ trigger: 'TEST', agent_id: agentId, version: '1.0.0' });
  }, 120_000);

  it.each([
    ['provider', () => ({ status: 500, body: 'broken' }), {}],
    ['provider', () => ({ status: 302, headers: { location: program.url }, body: '' }), {}],
    ['adapter', () => ({ status: 200, body: '{"answer": {}}' }), {}],
    ['timeout', () => ({ hang: true }), { timeout_ms: 300 }],
  ] as const)('that fails makes an item FAILED of class %s', async (failure_class, failing, config) => {
    const before = conduct.answer;
    conduct.answer = failing;
    try {
      expect(await run(config)).toMatchObject({ status: 'FAILED', failure_class });
    } finally {
      conduct.answer = before;
    }
  });

  it.each([
    [{ url: 'http://{{secrets.HOST}}/' }, 'url'],
    [{ url: 'ftp://a/' }, 'url'],
    [{ body_template: { a: 'say {{input}}' } }, 'body_template'],
    [{ body_template: '{{secrets.TOKEN}}' }, 'body_template'],
    [{ version: '1.0.0' }, 'version'],
  ])('is refused with the configuration %j', async (config, field) => {
    await expect(run(config)).rejects.toMatchObject({
      kind: 'invalid',
      extras: { details: [{ field: expect.stringContaining(field) as string }] },
    });
  });

  it('needs an EXTERNAL agent and a version that exists', async () => {
    await expect(run({ agent_id: agentId, version: '9.9.9' })).rejects.toMatchObject({ kind: 'not_found' });
    const { application_id } = await platform.bus.call(
      agents.endpoints.getAgent,
      { agent_id: agentId },
      platform.caller(company.companyId),
    );
    const hosted = { application_id, agent_name: 'hosted desk', model: 'simulated-echo' };
    const { id } = await platform.bus.call(
      agents.endpoints.createAgent,
      hosted as never,
      platform.caller(company.companyId),
    );
    await expect(run({ agent_id: id })).rejects.toMatchObject({
      status: 400,
      extras: { details: [{ field: 'consumer_config.agent_id' }] },
    });
  });
});

describe('runs of programs that are no agents', () => {
  it('are compared with the newest earlier one of them', async () => {
    const caller = platform.caller(company.companyId);
    const { id: test_set_id } = await platform.bus.call(
      testSets.endpoints.createTestSet,
      { name: 'Baselines' } as never,
      caller,
    );
    const input = {
      ...{ test_set_id, consumer_kind: 'EXTERNAL', secrets: { TOKEN: 's3cret-token' }, wait_seconds: 60 },
      consumer_config: { url: program.url, ...CONFIG },
    };
    const runs = () => platform.bus.call(evaluatedRuns.endpoints.runTestSet, input as never, caller);
    const first = await runs();
    expect(first).toMatchObject({ consumer_id: null, compared_with: null });
    const ofAgent = { ...input, consumer_config: { ...input.consumer_config, agent_id: agentId } };
    await platform.bus.call(evaluatedRuns.endpoints.runTestSet, ofAgent as never, caller);
    expect((await runs()).compared_with).toMatchObject({ id: first.id });
  });
});
