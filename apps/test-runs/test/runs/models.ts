import {
  type ApiError,
  applications,
  intents,
  namesOf,
  requests,
  testRuns,
  testSetImports,
} from '@signalbox/contracts';
import { eventually, openDatabase, startHttpTarget } from '@signalbox/testing';
import { ComparedRuns } from '../../src/run-comparison/compared-runs.repository.js';
import { Comparisons } from '../../src/run-comparison/comparisons.js';
import { PAGE } from '../world.js';
import type { RunCompany, RunWorld } from '../run-world.js';

/** Items that have to be executed at once before the model answers. */
const AT_ONCE = 3;

const status = (promise: Promise<unknown>): Promise<number> =>
  promise.then(
    () => 200,
    (error: ApiError) => error.status,
  );

/** Runs against models. */
export function modelRuns(world: () => RunWorld): void {
  let company: RunCompany;
  beforeAll(async () => {
    company = await world().company();
    world().provider.answerWith(({ messages }) => `re: ${String(messages.at(-1)?.content)}`);
  });

  it('are found by their names and their ids', async () => {
    const { id } = await company.create(await company.set('Found', { a: 'b' }), { name: 'Nightly kiwi' });
    const find = (q: string) =>
      world().platform.bus.call(
        namesOf('test-runs').endpoints.findNames,
        { q, types: ['test_run'], limit: 5 },
        company.world.caller(),
      );
    const found = { type: 'test_run', id, name: 'Nightly kiwi', url_path: `/unified-test-runs/${id}` };
    expect(await find('kiwi')).toMatchObject([found]);
    expect(await find(String(id))).toMatchObject([{ ...found, rank: 0 }]);
  });

  it('go from CREATED over RUNNING to COMPLETED, and are scored', async () => {
    const set = await company.set('Life', { a: 're: a', b: 're: b', c: 'something else', d: null });
    const created = await company.create(set);
    expect(created).toMatchObject({
      status: 'CREATED',
      consumer_id: company.modelId,
      consumer_version: null,
      total_items: 0,
      prepared_at: null,
      scored_at: null,
    });
    expect((await company.items(created.id)).data).toEqual([]);
    expect(await company.prepare(created.id)).toMatchObject({ status: 'RUNNING', item_count: 4, total_items: 4 });
    expect((await company.progress(created.id)).pending).toBe(4);
    expect(await company.execute(created.id)).toMatchObject({ status: 'RUNNING', completed_at: null });
    expect(await company.completed(created.id)).toMatchObject({
      completed_items: 4,
      failed_items: 0,
      matched_items: null,
    });
    const { data } = await company.items(created.id);
    expect(data.map(({ status: each, outcome, attempts }) => [each, outcome, attempts])).toEqual(
      Array(4).fill(['COMPLETED', null, 1]),
    );
    expect(data[0]).toMatchObject({
      adapted_input: { messages: [{ role: 'user', content: 'a' }] },
      actual_output: { message: { role: 'assistant', content: 're: a' } },
      expected_output_used: { text: 're: a' },
      expectation_source: 'baseline',
    });
    const summary = await company.score(created.id);
    expect(summary).toMatchObject({ total: 4, scored: 3, matched: 2, mismatched: 1, unscored: 1, errors: 0 });
    expect(summary.match_rate).toBeCloseTo(2 / 3);
    expect(await company.get(created.id)).toMatchObject({ status: 'COMPLETED', matched_items: 2 });
    const scored = (await company.items(created.id)).data;
    expect(scored.map(({ outcome, failure_class }) => [outcome, failure_class])).toEqual([
      ['PASS', null],
      ['PASS', null],
      ['FAIL', 'quality'],
      [null, null],
    ]);
    expect(scored[2]?.diff_result).toMatchObject({ matched_count: 0, total_count: 1 });
    expect(await company.world.events('test_run', created.id)).toEqual([
      'test_run.created',
      'test_run.prepared',
      'test_run.started',
      'test_run.completed',
      'test_run.scored',
    ]);
    const { sql, bus } = world().platform;
    const { rows } = await sql.query<{ n: number }>(
      `SELECT count(DISTINCT run_item_id)::int AS n FROM "test-runs".run_attempts a
       JOIN "test-runs".runs r ON r.id = a.run_id WHERE r.no = $1`,
      [created.id],
    );
    expect(rows[0]?.n).toBe(4);
    const recorded = await bus.call(
      requests.endpoints.listRequests,
      { ...PAGE, origin: 'TEST', include_body: false } as never,
      company.world.caller(),
    );
    expect(recorded.data).toHaveLength(4);
    expect(recorded.data[0]).toMatchObject({ request_type: 'SYNTHETIC', origin_id: String(created.id) });
  });

  it('refuse what their state does not allow', async () => {
    const set = await company.set('States', { a: 're: a' });
    const { id } = await company.create(set);
    expect(await status(company.execute(id))).toBe(409);
    expect(await status(company.reset(id))).toBe(409);
    expect(await company.score(id)).toMatchObject({ total: 0, scored: 0, match_rate: null });
    await company.prepare(id);
    expect(await status(company.prepare(id))).toBe(409);
    expect(await status(company.reset(id))).toBe(409);
    await company.execute(id);
    expect(await status(company.prepare(id))).toBe(409);
    await company.completed(id);
    expect(await status(company.execute(id))).toBe(409);
    expect(await status(company.prepare(id))).toBe(409);
    expect(await company.reset(id)).toMatchObject({ status: 'COMPLETED', reset_count: 0 });
    expect(await company.remove(id)).toEqual({ id, deleted: true });
    expect(await status(company.get(id))).toBe(404);
    expect(await company.world.audits('test_run', id)).toMatchObject([
      { action: 'create' },
      { action: 'score' },
      { action: 'update' },
      { action: 'update' },
      { action: 'delete' },
    ]);
  });

  it('of programs that run elsewhere leave no literal credential in the audit log', async () => {
    const { id: test_set_id } = await company.world.set({ name: 'Programs' });
    const headers = { Authorization: 'Bearer l1teral', 'X-Key': '{{secrets.KEY}}' };
    const consumer_config = { url: 'https://x.example/', headers };
    const { id } = await company.create(test_set_id, { consumer_kind: 'EXTERNAL', consumer_config });
    await company.remove(id);
    const masked = { consumer_config: { headers: { Authorization: '[secret]', 'X-Key': '{{secrets.KEY}}' } } };
    expect(await company.world.audits('test_run', id)).toMatchObject([
      { action: 'create', after: masked },
      { action: 'delete', before: masked },
    ]);
  });

  it('of programs that run elsewhere take no answer that is nested too deep, and ask for none again', async () => {
    const target = await startHttpTarget({ script: () => ({ body: '['.repeat(20_000) + ']'.repeat(20_000) }) });
    try {
      const consumer_config = { url: target.url, method: 'POST', timeout_ms: 60_000 };
      const run = await company.run(await company.set('Deep', { a: null }), {
        consumer_kind: 'EXTERNAL',
        consumer_config,
      });
      expect((await company.items(run.id)).data).toMatchObject([
        {
          ...{ status: 'FAILED', failure_class: 'adapter', attempts: 1 },
          error_message: 'the answer is nested more than 1000 deep',
        },
      ]);
      expect(target.calls).toHaveLength(1);
    } finally {
      await target.close();
    }
  });

  it('refuse unknown ids and invalid configurations', async () => {
    const set = await company.set('Refusals', {});
    expect(await status(company.create(2_000_000_000))).toBe(404);
    expect(await status(company.create(set, { consumer_config: { model: 'nobody' } }))).toBe(404);
    expect(await status(company.create(set, { criteria_ids: [2_000_000_000] }))).toBe(404);
    expect(await status(company.create(set, { consumer_config: { model: 'm', application_id: 2_000_000_000 } }))).toBe(
      404,
    );
    expect(await status(company.create(set, { consumer_config: {} }))).toBe(400);
    expect(await status(company.create(set, { consumer_config: { model: 'm', agent_id: 1 } }))).toBe(400);
    expect(await status(company.create(set, { consumer_kind: 'WORKFLOW', consumer_config: { workflow_id: 1 } }))).toBe(
      404,
    );
    expect(await status(company.score(2_000_000_000))).toBe(404);
  });

  it('of an empty set complete at once', async () => {
    const { id } = await company.create(await company.set('Empty', {}), { auto_score: true });
    expect(await company.prepare(id)).toMatchObject({ item_count: 0 });
    await company.execute(id);
    expect(await company.completed(id)).toMatchObject({ total_items: 0, match_rate: null });
    expect(await company.progress(id)).toMatchObject({ percent_complete: 100, duration_ms: { p50: null } });
  });

  it('never execute more items at once than asked for, and each item once', async () => {
    const set = await company.set(
      'Concurrency',
      Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`q${at}`, null])),
    );
    const { calls } = world().provider;
    const before = calls.length;
    let severalAsked = (): void => undefined;
    const several = new Promise<void>((resolve) => (severalAsked = resolve));
    let asked = 0;
    world().provider.answerWith(async () => {
      if (++asked === AT_ONCE) severalAsked();
      await several;
      // Calls are compared by their milliseconds: those under way at once must not end in the one in which the last begins.
      await new Promise((resolve) => setTimeout(resolve, 5));
      return 'ok';
    });
    const run = await company.run(set, {}, 5);
    world().provider.answerWith(({ messages }) => `re: ${String(messages.at(-1)?.content)}`);
    const made = calls.slice(before);
    expect(made).toHaveLength(40);
    const most = Math.max(
      ...made.map(
        ({ startedAt }) => made.filter((each) => each.startedAt <= startedAt && (each.endedAt ?? 0) > startedAt).length,
      ),
    );
    expect(most).toBeLessThanOrEqual(5);
    expect(most).toBeGreaterThanOrEqual(AT_ONCE);
    expect(await company.progress(run.id)).toMatchObject({ completed: 40, percent_complete: 100 });
  });

  it('execute failed items again by their class', async () => {
    const set = await company.set('Resets', { good: 're: good', bad: 're: bad' });
    world().provider.answerWith(({ messages }) => {
      const asked = String(messages.at(-1)?.content);
      return asked === 'bad' ? { error: { status: 400, message: 'no' } } : `re: ${asked}`;
    });
    const { id } = await company.run(set, { auto_score: true });
    expect(await company.get(id)).toMatchObject({ completed_items: 1, failed_items: 1, match_rate: 1 });
    const [, bad] = (await company.items(id)).data;
    expect(bad).toMatchObject({
      status: 'FAILED',
      failure_class: 'provider',
      outcome: 'ERROR',
      error_code: 'provider_error',
    });
    expect(await company.progress(id)).toMatchObject({ failed_by_class: { provider: 1 } });
    expect(await company.reset(id, ['timeout'])).toMatchObject({ status: 'COMPLETED', reset_count: 0 });
    world().provider.answerWith(({ messages }) => `re: ${String(messages.at(-1)?.content)}`);
    expect(await company.reset(id, ['provider', 'timeout'])).toMatchObject({
      status: 'RUNNING',
      reset_count: 1,
      completed_at: null,
      scored_at: null,
    });
    expect(await company.completed(id)).toMatchObject({
      completed_items: 2,
      failed_items: 0,
      match_rate: 1,
      matched_items: 2,
    });
    const again = (await company.items(id)).data[1];
    expect(again).toMatchObject({ attempts: 2, outcome: 'PASS', error_message: null });
    expect((await company.world.events('test_run', id)).slice(-3)).toEqual([
      'test_run.reset',
      'test_run.completed',
      'test_run.scored',
    ]);
  });

  it('pay no answer twice when the process that waits for it stops', async () => {
    const { platform, provider } = world();
    let asked = 0;
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    provider.answerWith(async () => {
      asked += 1;
      await held;
      return 'slow';
    });
    await platform.restartService('test-runs', { SHUTDOWN_GRACE_SECONDS: '1' });
    try {
      const { id } = await company.create(await company.set('Slow', { one: null, two: null }));
      await company.prepare(id);
      await company.execute(id, 2);
      await eventually('the model is asked for both', () => asked === 2);
      await platform.service('test-runs').kill('SIGTERM');
      answer();
      await platform.service('test-runs').start();
      expect(await company.completed(id)).toMatchObject({ completed_items: 2, failed_items: 0 });
      expect(asked).toBe(2);
    } finally {
      answer();
      await platform.restartService('test-runs', {});
      provider.answerWith(({ messages }) => `re: ${String(messages.at(-1)?.content)}`);
    }
  }, 120_000);

  it('of one company do not hold up those of another', async () => {
    const other = await world().company();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    world().provider.answerWith(async ({ messages }) => {
      const asked = String(messages.at(-1)?.content);
      if (asked.startsWith('held')) await held;
      return `re: ${asked}`;
    });
    const questions = Array.from({ length: 110 }, (_, at) => [`held ${at}`, null]);
    const big = await company.create(await company.set('Big', Object.fromEntries(questions) as Record<string, null>));
    await company.prepare(big.id);
    await company.execute(big.id, 100);
    const small = await other.run(await other.set('Small', { a: 're: a', b: 're: b' }), { auto_score: true });
    expect(small).toMatchObject({ completed_items: 2, match_rate: 1 });
    expect((await company.progress(big.id)).completed).toBe(0);
    release();
    expect(await company.completed(big.id)).toMatchObject({ completed_items: 110 });
  });

  it('are followed as a stream that begins anew with a reset', async () => {
    world().provider.answerWith(() => ({ error: { status: 400, message: 'no' } }));
    const { id } = await company.run(await company.set('Stream', { a: 're: a' }));
    const part = (last_event_id: number) =>
      world().platform.bus.call(testRuns.endpoints.streamTestRun, { id, last_event_id }, company.world.caller());
    const first = await part(0);
    expect(first.ended).toBe(true);
    expect(first.events.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'run.started'],
      [2, 'run.completed'],
    ]);
    expect(first.events[1]?.data).toMatchObject({ run_id: id, completed: 0, failed: 1 });
    await company.reset(id);
    await company.completed(id);
    expect((await part(0)).events.map(({ seq, type }) => [seq, type])).toEqual([
      [3, 'run.started'],
      [4, 'run.completed'],
    ]);
    await expect(part(9)).rejects.toMatchObject({ status: 400 });
  });

  it('take effect once under an idempotency key', async () => {
    world().provider.answerWith(({ messages }) => `re: ${String(messages.at(-1)?.content)}`);
    const { id } = await company.create(await company.set('Keys', { a: 're: a' }));
    const claim = (route: string) => ({ key: 'k', route: `POST /unified-test-runs/${id}/${route}`, bodyHash: 'h' });
    const prepare = () =>
      world().platform.bus.call(
        testRuns.endpoints.prepareTestRun,
        { id },
        company.world.caller({ idempotency: claim('prepare') }),
      );
    const prepared = await prepare();
    expect(await prepare()).toEqual(prepared);
    expect(prepared).toMatchObject({ item_count: 1 });
  });

  it('send the parameters of imported requests and of their intent, unless their configuration says otherwise', async () => {
    const { bus } = world().platform;
    const caller = () => company.world.caller();
    const { id: application_id } = await bus.call(
      applications.endpoints.createApplication,
      { application_name: 'Configured', state: 'ENABLED', meta: {} },
      caller(),
    );
    const { id: intent_id } = await bus.call(
      intents.endpoints.createIntent,
      { application_id, action_type: 'Asking', meta: {} } as never,
      caller(),
    );
    await bus.call(
      intents.endpoints.updateIntentConfig,
      { application_id, intent_id, temperature: 0.3, top_p: 0.5, system_prompt: 'Be brief.' },
      caller(),
    );
    const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }];
    const recorded = { model: 'm', tools, tool_choice: 'none', seed: 7, top_p: 0.9 };
    const source_id = await company.world.request('from a request', recorded);
    const { id: set } = await company.world.set({ name: 'Parameters' });
    const imported = await bus.call(
      testSetImports.endpoints.importRequest,
      { test_set_id: set, request_id: source_id, use_correction: true, meta: {} },
      caller(),
    );
    expect(imported.item.input?.params).toEqual({ tools, tool_choice: 'none', seed: 7, top_p: 0.9 });
    await company.world.item(set, 'by hand', null);
    const sent = async (config: object) => {
      const before = world().provider.calls.length;
      const run = await company.run(set, { consumer_config: { model: 'm', intent_id, ...config } }, 1);
      const bodies = world()
        .provider.calls.slice(before)
        .map(({ body }) => body as Record<string, unknown>);
      return { run, bodies };
    };
    const { run, bodies } = await sent({});
    const prompt = { role: 'system', content: 'Be brief.' };
    expect(bodies).toMatchObject([
      {
        messages: [prompt, { content: 'from a request' }],
        tools,
        tool_choice: 'none',
        seed: 7,
        top_p: 0.9,
        temperature: 0.3,
      },
      { messages: [prompt, { content: 'by hand' }], top_p: 0.5, temperature: 0.3 },
    ]);
    expect(bodies[1]).not.toHaveProperty('tools');
    expect(run.consumer_config).toMatchObject({ application_id, intent_id });
    const other = await sent({
      application_id,
      top_p: 0.1,
      temperature: 1,
      seed: 8,
      tool_choice: 'auto',
      system_prompt: 'Be long.',
    });
    expect(other.bodies).toMatchObject([
      { messages: [{ content: 'Be long.' }, {}], tools, tool_choice: 'auto', seed: 8, top_p: 0.1, temperature: 1 },
      { messages: [{ content: 'Be long.' }, {}], seed: 8, top_p: 0.1 },
    ]);
    const calls = await bus.call(
      requests.endpoints.listRequests,
      { ...PAGE, origin: 'TEST', origin_id: String(run.id), include_body: false } as never,
      caller(),
    );
    expect(calls.data).toMatchObject([
      { application_id, intent_id },
      { application_id, intent_id },
    ]);
    // What it has used is known for each item, and of the run.
    const { data } = await company.items(run.id);
    const totals = data.map(({ usage }) => usage?.total_tokens ?? 0);
    expect(Math.min(...totals)).toBeGreaterThan(0);
    const sum = totals.reduce((left, right) => left + right, 0);
    expect(run).toMatchObject({ usage: { total_tokens: sum }, cost: null });
    expect(run.duration_ms?.p95).toBeGreaterThanOrEqual(run.duration_ms?.p50 ?? Infinity);
    expect(await company.score(run.id)).toMatchObject({ usage: { total_tokens: sum }, duration_ms: run.duration_ms });
    const compared = await bus.call(
      testRuns.endpoints.compareTestRuns,
      { test_run_ids: [run.id, other.run.id], offset: 0, limit: 10 },
      caller(),
    );
    expect(compared.runs[0]).toMatchObject({ usage: { total_tokens: sum } });
    expect(compared.items[0]?.results[String(run.id)]?.usage?.total_tokens).toBe(totals[0]);
  });

  it('are not compared for longer than their caller waits', async () => {
    const set = await company.set('Long', { a: 're: a' });
    const test_run_ids = [(await company.run(set)).id, (await company.run(set)).id];
    const open = await openDatabase(world().platform.servers, 'test-runs', 2);
    try {
      const comparisons = new Comparisons(new ComparedRuns(open.db));
      const caller = company.world.caller();
      const query = { test_run_ids, offset: 0, limit: 10, confidence: 0.95 };
      await expect(comparisons.compare({ ...caller, deadline: Date.now() - 1 }, query)).rejects.toMatchObject({
        kind: 'timeout',
        message: 'the runs take too long to compare',
      });
      const gone = AbortSignal.abort(new Error('the caller has left'));
      await expect(comparisons.compare(caller, query, gone)).rejects.toThrow('the caller has left');
      expect((await comparisons.compare(caller, query)).differences?.length).toBeGreaterThan(0);
    } finally {
      await open.close();
    }
  });

  it('list no page of bodies that a reply cannot carry', async () => {
    const set = await company.set('Large', { a: null, b: null });
    const run = await company.run(set);
    await world().platform.sql.query(
      `UPDATE "test-runs".run_items i SET adapted_input = json_build_object('x', repeat('y', 7000000)) FROM "test-runs".runs r
       WHERE r.id = i.run_id AND r.no = $1 AND r.company_id = $2`,
      [run.id, company.world.companyId],
    );
    await expect(company.items(run.id)).rejects.toMatchObject({ status: 400, message: /^limit must be smaller/ });
    expect((await company.items(run.id, { limit: 1 })).pagination.total).toBe(2);
  });
}
