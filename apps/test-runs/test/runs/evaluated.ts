import {
  agentVersions,
  type ApiError,
  type Caller,
  type EvaluatedRun,
  evaluatedRuns,
  type InputOf,
} from '@signalbox/contracts';
import type { RunCompany, RunWorld } from '../run-world.js';

const { runTestSet } = evaluatedRuns.endpoints;
const api = agentVersions.endpoints;
type Input = InputOf<typeof runTestSet>;

const problemsOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'accepted',
    ({ status, extras }: ApiError) => [status, extras.details?.map(({ field }) => field)],
  );

/** Runs that are created, executed and scored in one call. */
export function evaluatedInOneCall(world: () => RunWorld): void {
  let company: RunCompany;
  let set: number;
  beforeEach(async () => {
    company = await world().company();
    set = await company.set('One call', { a: 're: a', b: 're: b' });
    answer((question) => `re: ${question}`);
  });

  const answer = (reply: (question: string) => string): void =>
    world().provider.answerWith(({ messages }) => reply(String(messages.at(-1)?.content)));
  const run = (change: Partial<Input> = {}, caller: Partial<Caller> = {}): Promise<EvaluatedRun> => {
    const body: Input = {
      test_set_id: set,
      meta: {},
      consumer_kind: 'MODEL',
      consumer_config: { model: 'm' },
      auto_score: true,
      repeats: 1,
      concurrency: 4,
      secrets: {},
      wait_seconds: 60,
      ...change,
    };
    const long = company.world.caller({ deadline: Date.now() + 120_000, ...caller });
    return world().platform.bus.call(runTestSet, body, long);
  };

  it('answer with their scores, and with what differs from the newest earlier one', async () => {
    const first = await run();
    expect(first).toMatchObject({
      status: 'COMPLETED',
      match_rate: 1,
      summary: { status: 'SCORED', total: 2, matched: 2, errors: 0 },
      gate: null,
      compared_with: null,
    });
    answer((question) => (question === 'a' ? 're: a' : 'no'));
    const worse = await run({ name: 'Nightly' });
    expect(worse).toMatchObject({
      name: 'Nightly',
      match_rate: 0.5,
      summary: { matched: 1, mismatched: 1 },
      compared_with: { id: first.id, match_rate: 1, differences: [{ base_run_id: first.id, n: 2, difference: -0.5 }] },
    });
    const given = await run({ baseline_run_id: first.id });
    expect(given.compared_with).toMatchObject({ id: first.id });
    expect((await run()).compared_with).toMatchObject({ id: given.id, match_rate: 0.5 });
    expect(await company.world.audits('test_run', worse.id)).toMatchObject([{ action: 'create' }]);
    expect(await company.world.events('test_run', worse.id)).toEqual([
      'test_run.created',
      'test_run.prepared',
      'test_run.started',
      'test_run.completed',
      'test_run.scored',
    ]);
  });

  it('compare neither with runs of other consumers nor with those that were cancelled or not scored', async () => {
    await run({ consumer_config: { model: 'simulated-echo' } });
    await company.run(set);
    const cancelled = await company.create(set, { auto_score: true });
    await company.prepare(cancelled.id);
    await company.cancel(cancelled.id);
    expect((await run()).compared_with).toBeNull();
  });

  it('answer before they have ended when the client does not wait, and start once under an idempotency key', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    world().provider.answerWith(async ({ messages }) => {
      await held;
      return `re: ${String(messages.at(-1)?.content)}`;
    });
    const idempotency = { key: 'one', route: 'POST /unified-test-runs/run', bodyHash: 'h' };
    const started = await run({ wait_seconds: 0 }, { idempotency });
    expect(started).toMatchObject({ status: 'RUNNING', summary: null, gate: null, compared_with: null });
    expect(await run({ wait_seconds: 0 }, { idempotency })).toEqual(started);
    release();
    await company.completed(started.id);
    const { rows } = await world().platform.sql.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM "test-runs".runs WHERE company_id = $1`,
      [company.world.companyId],
    );
    expect(rows[0]?.n).toBe(1);
  });

  it('are waited for again by a repeat whose first reply was lost', async () => {
    const idempotency = { key: 'lost', route: 'POST /unified-test-runs/run', bodyHash: 'h' };
    const first = await run({ wait_seconds: 0 }, { idempotency });
    // As the record is left by a process that ends while it waits.
    await world().platform.sql.query(
      `UPDATE "test-runs".idempotency SET status = NULL, reply = NULL, locked_until = 0 WHERE company_id = $1`,
      [company.world.companyId],
    );
    expect(await run({}, { idempotency })).toMatchObject({ id: first.id, match_rate: 1, summary: { matched: 2 } });
  });

  it('refuse what cannot be run or compared, and start nothing then', async () => {
    const other = await company.run(await company.set('Other', {}));
    expect(await problemsOf(run({ baseline_run_id: other.id }))).toEqual([400, ['baseline_run_id']]);
    expect(await problemsOf(run({ baseline_run_id: 2_000_000_000 }))).toEqual([404, undefined]);
    expect(await problemsOf(run({ release: 'stable' }))).toEqual([400, ['release']]);
    expect(await problemsOf(run({ test_set_id: 2_000_000_000 }))).toEqual([404, undefined]);
    const { id: agent_id } = await company.agent();
    const agent = { consumer_kind: 'AGENT' as const, consumer_config: { agent_id } };
    expect(await problemsOf(run({ ...agent, release: 'nowhere' }))).toEqual([404, undefined]);
    const { rows } = await world().platform.sql.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM "test-runs".runs WHERE company_id = $1`,
      [company.world.companyId],
    );
    expect(rows[0]?.n).toBe(1);
  });

  describe('of an agent with a gated release', () => {
    let agent_id: number;
    const call = (endpoint: (typeof api)[keyof typeof api], input: object): Promise<unknown> =>
      world().platform.bus.call(endpoint, { agent_id, ...input } as never, company.world.caller());
    beforeEach(async () => {
      agent_id = (await company.agent()).id;
      const gate_policy = { test_set_id: set, min_match_rate: 1, max_age_ms: 3_600_000, max_error_rate: 0 };
      await call(api.publishVersion, { increment: 'minor', version_notes: '' });
      await call(api.createRelease, { name: 'stable', version: '1.0.0', is_default: true });
      await call(api.updateRelease, { release_name: 'stable', gate_policy });
      await call(api.publishVersion, { increment: 'minor', version_notes: '' });
    });
    const ofAgent = (config: object = {}) =>
      run({ consumer_kind: 'AGENT', consumer_config: { agent_id, ...config }, release: 'stable' });

    it('say whether its gate lets the version pass', async () => {
      answer(() => 'no');
      expect(await ofAgent({ version: '1.1.0' })).toMatchObject({
        consumer_version: '1.1.0',
        match_rate: 0,
        gate: { passed: false, reasons: [expect.stringContaining('is 0 %, below 100 %')] },
      });
      answer((question) => `re: ${question}`);
      const green = await ofAgent({ version: 'latest' });
      expect(green).toMatchObject({ consumer_version: '1.1.0', gate: { passed: true, test_run_id: green.id } });
    });

    it('have no verdict when the release is deleted while they run', async () => {
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      world().provider.answerWith(async ({ messages }) => {
        await held;
        return `re: ${String(messages.at(-1)?.content)}`;
      });
      await call(api.updateRelease, { release_name: 'stable', gate_policy: null });
      const idempotency = { key: 'gone', route: 'POST /unified-test-runs/run', bodyHash: 'h' };
      const body = { consumer_kind: 'AGENT' as const, consumer_config: { agent_id }, release: 'stable' };
      const { id } = await run({ ...body, wait_seconds: 0 }, { idempotency });
      await call(api.deleteRelease, { release_name: 'stable' });
      release();
      await company.completed(id);
      // As the record is left by a process that ends while it waits.
      await world().platform.sql.query(
        `UPDATE "test-runs".idempotency SET status = NULL, reply = NULL, locked_until = 0 WHERE company_id = $1`,
        [company.world.companyId],
      );
      expect(await run(body, { idempotency })).toMatchObject({ id, match_rate: 1, gate: null });
    });

    it('run the version of the release unless another one is named', async () => {
      const own = await ofAgent();
      expect(own).toMatchObject({ consumer_version: '1.0.0', gate: { passed: true, test_run_id: own.id } });
    });
  });
}
