import {
  type ApiError,
  agentVersions,
  evaluationCriteria,
  type GatePolicy,
  testRuns,
  testSetItems,
  testSets,
} from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { PAGE } from '../world.js';
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
    policy = { test_set_id: set, min_match_rate: 1, max_age_ms: 3_600_000, max_error_rate: 0 };
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
  const test = (
    version: string,
    answers: (question: string) => string,
    more: Parameters<RunCompany['run']>[1] = {},
  ) => {
    world().provider.answerWith(({ messages }) => answers(String(messages.at(-1)?.content)));
    return company.run(set, {
      consumer_kind: 'AGENT',
      consumer_config: { agent_id, version },
      auto_score: true,
      ...more,
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

  it('take an item that a reset has adapted again as it is now, with its expectation', async () => {
    const failing = { input: { messages: [{ role: 'system' as const, content: 'x' }] } };
    const change = (item_id: number, update: object) =>
      world().platform.bus.call(
        testSetItems.endpoints.updateTestSetItem,
        { test_set_id: set, item_id, ...update },
        company.world.caller(),
      );
    const { id: item } = await company.world.item(set, 'c');
    await change(item, failing);
    const run = await test('1.1.0', good);
    expect(run).toMatchObject({ failed_items: 1 });
    const input = { messages: [{ role: 'user' as const, content: 'd' }] };
    await change(item, { input, expected_output: { text: 're: d' } });
    await company.reset(run.id, ['adapter']);
    expect(await company.completed(run.id)).toMatchObject({ failed_items: 0, match_rate: 1 });
    expect(await fieldsOf(move())).toBe('moved');
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

  describe('with criteria of their set', () => {
    let strict: number;
    let trivial: number;
    const bus: RunWorld['platform']['bus']['call'] = (endpoint, input, caller) =>
      world().platform.bus.call(endpoint, input, caller);
    const criterion = (name: string, value: string) =>
      company.world.criterion({ name, method: 'CONTAINS', config: { value } });
    const change = (criteria_id: number, update: object) =>
      bus(evaluationCriteria.endpoints.updateCriteria, { criteria_id, ...update }, company.world.caller());
    const criteriaOfSet = (criteria_ids: number[]) =>
      bus(testSets.endpoints.updateTestSet, { test_set_id: set, criteria_ids }, company.world.caller());
    beforeEach(async () => {
      strict = (await criterion('Strict', 're: ')).id;
      trivial = (await company.world.criterion({ name: 'Trivial', method: 'REGEX', config: { pattern: '.*' } })).id;
      await criteriaOfSet([strict]);
    });

    it('are closed to scores by other criteria, which change nothing about the run', async () => {
      const red = await test('1.1.0', () => 'no');
      expect(red).toMatchObject({ match_rate: 0, scored_with: { criteria_ids: [strict] } });
      expect(await company.score(red.id, [trivial])).toMatchObject({ status: 'SCORED', matched: 2, match_rate: 1 });
      expect(await company.get(red.id)).toEqual({ ...red, date_updated: expect.any(Number) as unknown });
      const { data } = await company.items(red.id);
      expect(data.map(({ matched }) => matched)).toEqual([false, false]);
      expect(await fieldsOf(move())).toEqual([409, ['match_rate']]);
      const history = await bus(
        testRuns.endpoints.listItemScores,
        { id: red.id, item_id: data[0]?.id ?? 0, offset: 0, limit: 5, sort: '-id' },
        company.world.caller(),
      );
      expect(history.data.map(({ criteria_ids, matched }) => [criteria_ids, matched])).toEqual([
        [[trivial], true],
        [null, false],
      ]);
      // A repeat judges nothing again.
      expect(await company.score(red.id, [trivial])).toMatchObject({ matched: 2 });
      expect(await company.score(red.id)).toMatchObject({ matched: 0, match_rate: 0 });
    });

    it('are closed to runs that were made by other criteria than those of the set now', async () => {
      const green = await test('1.1.0', good);
      await criteriaOfSet([strict, trivial]);
      expect(await fieldsOf(move())).toEqual([409, ['criteria']]);
      await criteriaOfSet([strict]);
      await change(strict, { config: { value: 're: a' } });
      expect(await fieldsOf(move())).toEqual([409, ['criteria']]);
      // Scored again by what the criterion is now, one item does not match.
      await company.score(green.id);
      expect(await fieldsOf(move())).toEqual([409, ['match_rate']]);
      await change(strict, { name: 'Renamed', config: { value: 're: ' } });
      await company.score(green.id);
      expect(await fieldsOf(move())).toBe('moved');
    });

    it('are closed to runs without criteria, also while those of the set are disabled', async () => {
      expect(await test('1.1.0', good, { criteria_ids: [] })).toMatchObject({ match_rate: 1 });
      expect(await fieldsOf(move())).toEqual([409, ['criteria']]);
      await change(strict, { enabled: false });
      expect(await fieldsOf(move())).toEqual([409, ['criteria']]);
    });

    it('are closed once items were added, removed, changed or overridden', async () => {
      const green = await test('1.1.0', good);
      const [first, second] = (await company.items(green.id)).data.map(({ test_set_item_id }) => test_set_item_id);
      const item = { test_set_id: set, item_id: first ?? 0 };
      const caller = () => company.world.caller();
      await bus(testSetItems.endpoints.updateTestSetItem, { ...item, meta: { note: 'no change' } }, caller());
      expect((await call(api.checkRelease, { release_name: 'stable', version: '1.1.0' })).passed).toBe(true);
      await bus(testSetItems.endpoints.setResponseSub, { ...item, expected_output: { text: 'x' } }, caller());
      expect(await fieldsOf(move())).toEqual([409, ['items']]);
      expect(await call(api.checkRelease, { release_name: 'stable', version: '1.1.0' })).toMatchObject({
        passed: false,
        stale_items: [first],
      });
      await company.score(green.id);
      expect((await call(api.checkRelease, { release_name: 'stable', version: '1.1.0' })).passed).toBe(true);
      await bus(testSetItems.endpoints.updateTestSetItem, { ...item, expected_output: { text: 'y' } }, caller());
      expect(await fieldsOf(move())).toEqual([409, ['items']]);
      await company.score(green.id);
      expect(await fieldsOf(move())).toEqual([409, ['items']]);
      await test('1.1.0', good);
      await bus(testSetItems.endpoints.deleteTestSetItem, { ...item, item_id: second ?? 0 }, caller());
      expect(await call(api.checkRelease, { release_name: 'stable', version: '1.1.0' })).toMatchObject({
        stale_items: [second],
      });
      await test('1.1.0', good);
      const added = await company.world.item(set, 'c');
      expect(await call(api.checkRelease, { release_name: 'stable', version: '1.1.0' })).toMatchObject({
        stale_items: [added.id],
      });
    });

    it('are closed once the meta that a script has seen was changed, until it is scored again', async () => {
      const script = 'function score({ output, item }) { return output.length <= item.metadata.max; }';
      const config = { script, timeout_ms: 30_000 };
      const short = await company.world.criterion({ name: 'Short', method: 'SCRIPT', config });
      const caller = () => company.world.caller();
      const { data } = await bus(testSetItems.endpoints.listTestSetItems, { test_set_id: set, ...PAGE }, caller());
      const allow = async (max: number) => {
        for (const { id: item_id } of data)
          await bus(testSetItems.endpoints.updateTestSetItem, { test_set_id: set, item_id, meta: { max } }, caller());
      };
      await criteriaOfSet([short.id]);
      await allow(1000);
      const green = await test('1.1.0', good);
      const check = () => call(api.checkRelease, { release_name: 'stable', version: '1.1.0' });
      expect(await check()).toMatchObject({ passed: true });
      await allow(1);
      expect(await fieldsOf(move())).toEqual([409, ['items']]);
      await eventually('the run is scored', async () => (await company.score(green.id)).status === 'SCORED');
      expect(await fieldsOf(move())).toEqual([409, ['match_rate']]);
      await allow(1000);
      await eventually('the run is scored', async () => (await company.score(green.id)).status === 'SCORED');
      expect(await check()).toMatchObject({ passed: true });
    });

    it('are closed to scores of a run that was not completed', async () => {
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => (release = resolve));
      let asked = 0;
      world().provider.answerWith(async ({ messages }) => {
        if (++asked > 1) await released;
        return good(String(messages.at(-1)?.content));
      });
      const consumer = { consumer_kind: 'AGENT' as const, consumer_config: { agent_id, version: '1.1.0' } };
      const { id } = await company.create(set, consumer);
      await company.prepare(id);
      await company.execute(id, 1);
      await eventually('one item has ended', async () => (await company.progress(id)).completed === 1);
      expect(await company.score(id)).toMatchObject({ partial: true, status: 'SCORED', matched: 1, unscored: 1 });
      expect(await company.get(id)).toMatchObject({ scored_at: null, matched_items: null, match_rate: null });
      release();
      await company.completed(id);
      expect(await fieldsOf(move())).toEqual([409, ['scored']]);
      expect(await company.score(id)).toMatchObject({ matched: 2, unscored: 0 });
      expect(await company.score(id)).not.toHaveProperty('partial');
      expect(await fieldsOf(move())).toBe('moved');
    });

    it('are closed while the newest run is being scored; until then the newest scored one decides', async () => {
      const judge = await company.world.criterion({
        name: 'Polite',
        method: 'LLM',
        prompt: 'Is it polite?',
        config: { model: 'm' },
      });
      await criteriaOfSet([judge.id]);
      let verdict = 'PASS';
      let released = Promise.resolve();
      world().provider.answerWith(async ({ messages, response_format }) => {
        if (!response_format) return good(String(messages.at(-1)?.content));
        await released;
        return JSON.stringify({ verdict, reason: 'so' });
      });
      const consumer = { consumer_kind: 'AGENT' as const, consumer_config: { agent_id, version: '1.1.0' } };
      const green = await company.run(set, { ...consumer, auto_score: true });
      const newer = await company.run(set, consumer);
      const check = () => call(api.checkRelease, { release_name: 'stable', version: '1.1.0' });
      expect(await check()).toMatchObject({ passed: true, test_run_id: green.id });
      let release: () => void = () => undefined;
      released = new Promise<void>((resolve) => (release = resolve));
      verdict = 'FAIL';
      expect(await company.score(newer.id)).toMatchObject({ status: 'SCORING', total: 2 });
      expect(await check()).toMatchObject({
        passed: false,
        test_run_id: newer.id,
        reasons: [`test run ${newer.id} is being scored: 0 of 2 items until now`],
      });
      expect(await fieldsOf(move())).toEqual([409, ['scored']]);
      release();
      await eventually('the run is scored', async () => (await company.score(newer.id)).status === 'SCORED');
      expect(await fieldsOf(move())).toEqual([409, ['match_rate']]);
    });

    it('are closed to cancelled runs, which close no gate before an older run', async () => {
      const cancelled = async () => {
        const { id } = await company.create(set, {
          consumer_kind: 'AGENT',
          consumer_config: { agent_id, version: '1.1.0' },
        });
        await company.prepare(id);
        expect(await company.cancel(id)).toMatchObject({ status: 'COMPLETED', failed_items: 2 });
        await company.score(id);
      };
      await cancelled();
      expect(await fieldsOf(move())).toEqual([409, ['test_run', 'scored', 'error_rate']]);
      const green = await test('1.1.0', good);
      await cancelled();
      expect(await call(api.checkRelease, { release_name: 'stable', version: '1.1.0' })).toMatchObject({
        passed: true,
        test_run_id: green.id,
      });
      expect(await fieldsOf(move())).toBe('moved');
    });

    it('are closed to a cancelled run until all that its cancellation ended was executed again', async () => {
      await call(api.updateRelease, { release_name: 'stable', gate_policy: { ...policy, max_error_rate: 1 } });
      let isAsked = false;
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      world().provider.answerWith(async ({ messages }) => {
        if (messages.at(-1)?.content === 'a') return { error: { status: 400, message: 'no' } };
        isAsked = true;
        await held;
        return 'late';
      });
      const { id } = await company.create(set, {
        consumer_kind: 'AGENT',
        consumer_config: { agent_id, version: '1.1.0' },
        auto_score: true,
      });
      await company.prepare(id);
      await company.execute(id);
      await eventually(
        'one item has failed and one runs',
        async () => isAsked && (await company.progress(id)).failed_by_class?.provider === 1,
      );
      await company.cancel(id);
      release();
      world().provider.answerWith(({ messages }) => good(String(messages.at(-1)?.content)));
      expect(await company.reset(id, ['provider'])).toMatchObject({ status: 'RUNNING', reset_count: 1 });
      expect(await company.completed(id)).toMatchObject({ cancelled_at: expect.any(Number) as unknown, match_rate: 1 });
      expect(await fieldsOf(move())).toEqual([409, ['test_run']]);
      await eventually('the task of the item is cancelled', () =>
        company.reset(id, ['internal']).catch((error: ApiError) => {
          if (error.status !== 409) throw error;
        }),
      );
      expect(await company.completed(id)).toMatchObject({ cancelled_at: null, failed_items: 0 });
      expect(await fieldsOf(move())).toBe('moved');
    });
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
