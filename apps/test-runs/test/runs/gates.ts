import { type ApiError, agentVersions, type GatePolicy } from '@signalbox/contracts';
import type { RunCompany, RunWorld } from '../run-world.js';

const api = agentVersions.endpoints;

/** Release gates that depend on test runs. */
export function gatedReleases(world: () => RunWorld): void {
  let company: RunCompany;
  let agent_id: number;
  let set: number;
  let policy: GatePolicy;
  beforeEach(async () => {
    company = await world().company();
    agent_id = (await company.agent()).id;
    set = await company.set('Gate', { a: 're: a', b: 're: b' });
    policy = { test_set_id: set, min_match_rate: 1, max_age_ms: 60_000, max_error_rate: 0 };
    await call(api.publishVersion, { increment: 'minor', version_notes: '' });
    await call(api.createRelease, { name: 'stable', version: '1.0.0', is_default: true });
    await call(api.updateRelease, { release_name: 'stable', gate_policy: policy });
    await call(api.publishVersion, { increment: 'minor', version_notes: '' });
  });

  const call = (endpoint: (typeof api)[keyof typeof api], input: object): Promise<Record<string, unknown>> =>
    world().platform.bus.call(endpoint, { agent_id, ...input } as never, company.world.caller()) as never;
  const move = (change: object = {}) =>
    call(api.updateRelease, { release_name: 'stable', version: '1.1.0', ...change });
  const fieldsOf = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => 'moved',
      ({ status, extras }: ApiError) => [status, extras.details?.map(({ field }) => field)],
    );
  const test = (version: string, answers: (question: string) => string) => {
    world().provider.answerWith(({ messages }) => answers(String(messages.at(-1)?.content)));
    return company.run(set, {
      consumer_kind: 'AGENT',
      consumer_config: { agent_id, version },
      auto_score: true,
    });
  };
  const good = (question: string): string => `re: ${question}`;

  it('refuse until a run of that version is green, and let the release move then', async () => {
    expect(await fieldsOf(move())).toEqual([409, ['test_run']]);
    await test('1.0.0', good);
    expect(await fieldsOf(move())).toEqual([409, ['test_run']]);
    const bad = await test('1.1.0', () => 'no');
    expect(await fieldsOf(move())).toEqual([409, ['match_rate']]);
    expect(await call(api.checkRelease, { release_name: 'stable', version: '1.1.0' })).toMatchObject({
      passed: false,
      test_run_id: bad.id,
      reasons: [expect.stringContaining('is 0 %, below 100 %')],
    });
    const green = await test('1.1.0', good);
    expect(await move()).toMatchObject({ version_number: '1.1.0' });
    const moves = (await call(api.listReleaseMoves, { release_name: 'stable', offset: 0, limit: 5, sort: '-id' })) as {
      data?: unknown[];
    };
    expect(moves.data?.[0]).toMatchObject({ gate_result: { passed: true, test_run_id: green.id } });
  });

  it('decide by the newest run, and refuse again when it is red or was deleted', async () => {
    const green = await test('1.1.0', good);
    const red = await test('1.1.0', (question) => (question === 'a' ? good(question) : 'no'));
    expect(await fieldsOf(move())).toEqual([409, ['match_rate']]);
    await company.remove(red.id);
    await company.remove(green.id);
    expect(await fieldsOf(move())).toEqual([409, ['test_run']]);
  });

  it('compare with the lower bound when the policy asks for confidence', async () => {
    await call(api.updateRelease, {
      release_name: 'stable',
      gate_policy: { ...policy, min_match_rate: 0.5, confidence: 0.95 },
    });
    await test('1.1.0', good);
    // Two of two matched: the interval begins at 0.34.
    expect(await fieldsOf(move())).toEqual([409, ['match_rate']]);
  });

  it('let one of two moves at once win the last word, each judged', async () => {
    await test('1.1.0', good);
    const moves = await Promise.all([
      fieldsOf(move()),
      fieldsOf(move()),
      fieldsOf(call(api.updateRelease, { release_name: 'stable', version: '1.0.0' })),
    ]);
    expect(moves.filter((each) => each === 'moved')).toHaveLength(2);
    expect(moves[2]).toEqual([409, ['test_run']]);
    expect(await call(api.getRelease, { release_name: 'stable' })).toMatchObject({ version_number: '1.1.0' });
  });

  it('do not pass while the service of test runs is down', async () => {
    await test('1.1.0', good);
    const process = world().platform.service('test-runs');
    await process.kill();
    expect(await fieldsOf(move())).toEqual([503, undefined]);
    await process.start();
    expect(await move()).toMatchObject({ version_number: '1.1.0' });
  });
}
