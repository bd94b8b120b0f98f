import { models, type RunComparison, testRuns, testSetItems } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { PAGE } from '../world.js';
import type { RunCompany, RunWorld } from '../run-world.js';

const { endpoints } = testRuns;

/** Scores of runs, and what is done with them. */
export function scoredRuns(world: () => RunWorld): void {
  let company: RunCompany;
  beforeAll(async () => {
    company = await world().company();
  });
  beforeEach(() => world().provider.answerWith(({ messages }) => `re: ${String(messages.at(-1)?.content)}`));

  const history = async (id: number, item_id: number) =>
    (await world().platform.bus.call(endpoints.listItemScores, { id, item_id, ...PAGE }, company.world.caller())).data;
  const override = (test_set_id: number, item_id: number, text: string) =>
    world().platform.bus.call(
      testSetItems.endpoints.setResponseSub,
      { test_set_id, item_id, expected_output: { text } },
      company.world.caller(),
    );

  it('are the same when a run is scored again, and write no second score', async () => {
    const set = await company.set('Idempotent', { a: 're: a', b: 'no' });
    const { id } = await company.run(set);
    const first = await company.score(id);
    const [again, atOnce] = await Promise.all([company.score(id), company.score(id)]);
    expect([again, atOnce]).toEqual([first, first]);
    const { data } = await company.items(id);
    expect(await Promise.all(data.map(async (item) => (await history(id, item.id)).length))).toEqual([1, 1]);
  });

  it('follow an override, keep the baseline and their history', async () => {
    const set = await company.set('Overrides', { a: 'wrong' });
    const { id } = await company.run(set, { auto_score: true });
    const [item] = (await company.items(id)).data;
    expect(item).toMatchObject({ matched: false, expectation_source: 'baseline' });
    await override(set, item?.test_set_item_id ?? 0, 're: a');
    expect(await company.score(id)).toMatchObject({ matched: 1, match_rate: 1 });
    expect(await company.item(id, item?.id ?? 0)).toMatchObject({
      matched: true,
      expectation_source: 'sub',
      expected_output_used: { text: 're: a' },
      failure_class: null,
    });
    expect(
      (await history(id, item?.id ?? 0)).map(({ expectation_source, matched }) => [expectation_source, matched]),
    ).toEqual([
      ['sub', true],
      ['baseline', false],
    ]);
  });

  it('take an answer that is nested too deep as a text', async () => {
    const set = await company.set('Nested', { deep: '{"a":1}', flat: '{"a":1}' });
    world().provider.answerWith(({ messages }) =>
      messages.at(-1)?.content === 'deep' ? '['.repeat(20_000) + ']'.repeat(20_000) : '{"a":1}',
    );
    const run = await company.run(set, { auto_score: true });
    expect(run).toMatchObject({ matched_items: 1, failed_items: 0, match_rate: 0.5 });
  });

  it('are not summed up when they have begun anew since the run was found scored', async () => {
    const { sql } = world().platform;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    world().provider.answerWith(async ({ messages }) => {
      const question = String(messages.at(-1)?.content);
      if (question === 'b') await held;
      return `re: ${question}`;
    });
    const set = await company.set('Anew', { a: 're: a', b: 're: b' });
    const { id } = await company.create(set, { auto_score: true });
    await company.prepare(id);
    await company.execute(id);
    await eventually('one item has ended', async () => (await company.progress(id)).completed === 1);
    expect(await company.score(id)).toMatchObject({ partial: true, status: 'SCORED' });
    const ofRun = [company.world.companyId, id];
    const scoring = (values: string) =>
      `UPDATE "test-runs".scorings c SET ${values} FROM "test-runs".runs r
       WHERE r.company_id = $1 AND r.no = $2 AND c.company_id = r.company_id AND c.run_id = r.id`;
    await sql.query(scoring(`is_partial = false, definitions_sha256 = 'older'`), ofRun);
    const client = await sql.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT FROM "test-runs".runs WHERE company_id = $1 AND no = $2 FOR NO KEY UPDATE', ofRun);
      release();
      await eventually('the end of the run waits', async () => {
        const waiting = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%"test-runs".runs%'`;
        return (await sql.query(waiting)).rows.length > 0;
      });
      await client.query(scoring(`is_partial = true, status = 'SCORING'`), ofRun);
      await client.query('COMMIT');
    } finally {
      client.release(true);
    }
    const { matched_items, scored_with } = await company.completed(id);
    expect([matched_items, scored_with?.definitions_sha256]).toEqual([2, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  it('follow criteria with their weights and thresholds', async () => {
    const set = await company.set('Criteria', { a: 'x', b: 'x' });
    const contains = await company.world.criterion({
      name: 'Has a',
      method: 'CONTAINS',
      config: { value: 're: a' },
      weight: 3,
    });
    const pattern = await company.world.criterion({
      name: 'Is a reply',
      method: 'REGEX',
      config: { pattern: '^re: [ab]$' },
    });
    const off = await company.world.criterion({
      name: 'Off',
      method: 'CONTAINS',
      config: { value: 'z' },
      enabled: false,
    });
    const judged = await company.world.criterion({
      name: 'Polite',
      method: 'LLM',
      criteria_type: 'NUMERIC',
      prompt: 'Is it polite?',
      config: { model: 'simulated-echo' },
    });
    const criteria_ids = [contains.id, pattern.id, off.id, judged.id];
    const { id } = await company.run(set, { criteria_ids, auto_score: true });
    const summary = await company.score(id);
    expect(summary).toMatchObject({ matched: 1, mismatched: 1, unscored: 0, errors: 0 });
    // (3 + 0 + 1 + 1 + 1 + 1) of weights (3 + 3 + 1 + 1 + 1 + 1).
    expect(summary.weighted_score).toBeCloseTo(0.7);
    expect(summary.criteria.map(({ name, avg_score, pass_rate }) => [name, avg_score, pass_rate])).toEqual([
      ['Has a', 0.5, 0.5],
      ['Is a reply', 1, 1],
      ['Polite', 5, 1],
    ]);
    const [item] = (await company.items(id)).data;
    expect(item?.criteria_results[0]).toMatchObject({ name: 'Has a', passed: true, threshold: 1, weight: 3 });
  });

  it('end in an error of the judge, and recover when it does', async () => {
    const set = await company.set('Judges', { a: 're: a' });
    const { id: criterion } = await company.world.criterion({
      name: 'Judge',
      method: 'LLM',
      prompt: 'Good?',
      config: { model: 'm' },
    });
    const { id } = await company.run(set, { criteria_ids: [criterion], auto_score: true });
    expect(await company.get(id)).toMatchObject({
      status: 'COMPLETED',
      completed_items: 0,
      failed_items: 1,
      match_rate: null,
    });
    const [item] = (await company.items(id)).data;
    expect(item).toMatchObject({
      status: 'FAILED',
      outcome: 'ERROR',
      failure_class: 'judge',
      actual_output: { message: { content: 're: a' } },
    });
    world().provider.answerWith(() => '{"verdict":"PASS","reason":"fine"}');
    expect(await company.score(id)).toMatchObject({ matched: 1, errors: 0, match_rate: 1 });
    expect(await company.item(id, item?.id ?? 0)).toMatchObject({
      status: 'COMPLETED',
      outcome: 'PASS',
      error_message: null,
    });
  });

  it('ask a judge without a temperature or a schema where its model takes none', async () => {
    const { bus } = world().platform;
    await bus.call(
      models.endpoints.updateModel,
      { model_id: company.modelId, supports_json_schema: false },
      company.world.caller(),
    );
    world().provider.answerWith(({ response_format, temperature }) => {
      if (!response_format) return 're: a';
      if (temperature !== undefined) return { error: { status: 400, message: "Unsupported value: 'temperature'" } };
      return '{"verdict":"PASS","reason":"fine"}';
    });
    const before = world().provider.calls.length;
    const { id: criterion } = await company.world.criterion({
      ...{ name: 'Plain judge', method: 'LLM', prompt: 'Good?', config: { model: 'm' } },
    });
    const { id } = await company.run(await company.set('Plain', { a: null }), {
      criteria_ids: [criterion],
      auto_score: true,
    });
    expect(await company.get(id)).toMatchObject({ failed_items: 0, match_rate: 1 });
    const asked = world()
      .provider.calls.slice(before)
      .map(({ body }) => body as Record<string, unknown>)
      .filter(({ response_format }) => response_format !== undefined);
    expect(asked.map(({ temperature, response_format }) => [temperature, response_format])).toEqual([
      [0, { type: 'json_object' }],
      [undefined, { type: 'json_object' }],
    ]);
    await bus.call(
      models.endpoints.updateModel,
      { model_id: company.modelId, supports_json_schema: true },
      company.world.caller(),
    );
  });

  it('by the words of a judge are the means over repeats, and are compared by them', async () => {
    const { id: criterion } = await company.world.criterion({
      ...{ name: 'Quality', method: 'LLM', criteria_type: 'NUMERIC', prompt: 'How good?', config: { model: 'm' } },
    });
    const questions = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`q${at}.`, null]));
    const set = await company.set('Words', questions, [criterion]);
    const runWith = (words: readonly string[]) => {
      const asked = new Map<string, number>();
      world().provider.answerWith(({ messages, response_format }) => {
        const text = messages.map(({ content }) => String(content)).join('\n');
        if (response_format)
          return JSON.stringify({ verdict: words[Number(/repeat (\d)/.exec(text)?.[1])], reason: 'so it is' });
        const repeat = asked.get(text) ?? 0;
        asked.set(text, repeat + 1);
        return `repeat ${repeat}`;
      });
      return company.run(set, { repeats: 3, auto_score: true });
    };
    const base = await runWith(['GOOD', 'GOOD', 'GOOD']);
    const other = await runWith(['GREAT', 'FAIR', 'POOR']);
    // The mean of (score - 1) / 4: GOOD is 3, and (4 + 2 + 1) / 3 is 7 / 3.
    expect((await company.score(base.id)).weighted_score).toBeCloseTo(0.5, 9);
    const summary = await company.score(other.id);
    expect(summary.weighted_score).toBeCloseTo(1 / 3, 9);
    expect(summary.criteria[0]?.avg_score).toBeCloseTo(7 / 3, 9);
    const compared = await world().platform.bus.call(
      endpoints.compareTestRuns,
      { test_run_ids: [base.id, other.id], offset: 0, limit: 100, confidence: 0.9 },
      company.world.caller(),
    );
    const difference = compared.differences?.find(({ criteria_id }) => criteria_id === criterion);
    expect(difference).toMatchObject({ n: 8, verdict: 'worse', method: 'paired_t, Holm' });
    expect(difference?.difference).toBeCloseTo(-2 / 3, 9);
  });

  it('of repeats are those of most of them, with their agreement', async () => {
    const set = await company.set('Repeats', { a: 're: a' });
    let asked = 0;
    world().provider.answerWith(() => (++asked === 2 ? 'no' : 're: a'));
    const { id } = await company.run(set, { repeats: 3, auto_score: true });
    const [summary] = (await company.items(id)).data;
    const item = await company.item(id, summary?.id ?? 0);
    expect(item).toMatchObject({ matched: true, attempts: 3 });
    expect(item.agreement).toBeCloseTo(1 / 3);
    expect(item.attempts_results.map(({ repeat, matched }) => [repeat, matched])).toEqual([
      [1, true],
      [2, false],
      [3, true],
    ]);
  });

  it('of an earlier release have the verdicts of repeats in their attempts', async () => {
    const { id } = await company.run(await company.set('Older', { a: 're: a' }), { auto_score: true });
    const [summary] = (await company.items(id)).data;
    for (const older of [`run_scores SET repeats_matched = '{}'`, 'run_attempts SET matched = false'])
      await world().platform.sql.query(`UPDATE "test-runs".${older} WHERE run_item_id = $1`, [summary?.id]);
    expect((await company.item(id, summary?.id ?? 0)).attempts_results).toMatchObject([{ matched: false }]);
  });

  it('of repeats in error are executed again alone', async () => {
    const set = await company.set('Failed repeats', { a: 're: a' });
    let asked = 0;
    world().provider.answerWith(() => (++asked === 2 ? { error: { status: 400, message: 'no' } } : 're: a'));
    const { id } = await company.run(set, { repeats: 3, auto_score: true });
    const [item] = (await company.items(id)).data;
    expect(item).toMatchObject({ status: 'FAILED', failure_class: 'provider', attempts: 3 });
    expect(await company.reset(id)).toMatchObject({ reset_count: 1 });
    await company.completed(id);
    expect(await company.item(id, item?.id ?? 0)).toMatchObject({ status: 'COMPLETED', attempts: 4, agreement: 1 });
  });

  it('are compared item by item, with the confidence of their difference', async () => {
    const has = await company.world.criterion({ name: 'Has re', method: 'CONTAINS', config: { value: 're: ' } });
    const set = await company.set(
      'Compared',
      Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`q${at}`, `re: q${at}`])),
      [has.id],
    );
    const good = await company.run(set, { auto_score: true });
    world().provider.answerWith(({ messages }) => {
      const question = String(messages.at(-1)?.content);
      return Number(question.slice(1)) < 12 ? 'no' : `re: ${question}`;
    });
    const bad = await company.run(set, { auto_score: true });
    const compare = (test_run_ids: number[], change: object = {}) =>
      world().platform.bus.call(
        endpoints.compareTestRuns,
        { test_run_ids, offset: 0, limit: 100, ...change },
        company.world.caller(),
      );
    const found = await compare([good.id, bad.id], { confidence: 0.95, direction: 'worse', limit: 5 });
    expect(found).toMatchObject({ total: 12, runs: [{ match_rate: 1 }, { match_rate: 0.4 }] });
    expect(found.items).toHaveLength(5);
    const [all, criterion] = found.differences ?? [];
    const worse = { difference: -0.6, verdict: 'worse', n: 20, method: 'mcnemar_tango, Holm' };
    expect(all).toMatchObject({ criteria_id: null, name: 'match_rate', ...worse });
    expect(criterion).toMatchObject({ criteria_id: has.id, name: 'Has re', ...worse, p_value: all?.p_value });
    const ids = (page: RunComparison) => page.items.map(({ test_set_item_id }) => test_set_item_id);
    const everything = await compare([good.id, bad.id]);
    expect(everything.total).toBe(20);
    expect(ids(everything)).toEqual(
      (await company.items(good.id)).data.map((item) => item.test_set_item_id).toSorted((a, b) => a - b),
    );
    expect(ids(await compare([good.id, bad.id], { offset: 18, limit: 5 }))).toEqual(ids(everything).slice(18));
    expect(everything.items[0]).toEqual({
      test_set_item_id: ids(everything)[0],
      changed: true,
      results: {
        [good.id]: {
          run_item_id: (await company.items(good.id)).data[0]?.id,
          outcome: 'PASS',
          matched: true,
          failure_class: null,
          unmet: [],
          usage: expect.objectContaining({ total_tokens: expect.any(Number) as number }) as object,
          cost: null,
          duration_ms: expect.any(Number),
        },
        [bad.id]: {
          run_item_id: expect.any(Number),
          outcome: 'FAIL',
          matched: false,
          failure_class: 'quality',
          unmet: [
            {
              criteria_id: has.id,
              name: 'Has re',
              passed: false,
              description: 'the output does not contain the value',
            },
          ],
          usage: expect.objectContaining({ total_tokens: expect.any(Number) as number }) as object,
          cost: null,
          duration_ms: expect.any(Number),
        },
      },
    });
    await world().platform.sql.query(
      `UPDATE "test-runs".run_items SET status = 'FAILED', failure_class = 'provider', matched = NULL
       WHERE company_id = $1 AND position IN (0, 15) AND run_id = (SELECT id FROM "test-runs".runs WHERE company_id = $1 AND no = $2)`,
      [company.world.companyId, bad.id],
    );
    const totals = async (...runs: number[]) => {
      const directions = ['worse', 'better', 'error', 'changed'] as const;
      return Promise.all(directions.map(async (direction) => (await compare(runs, { direction })).total));
    };
    expect(await totals(good.id, bad.id)).toEqual([11, 0, 2, 13]);
    expect(await totals(bad.id, good.id)).toEqual([0, 11, 2, 13]);
    const third = await company.run(set, { auto_score: true });
    expect(await totals(good.id, third.id, bad.id)).toEqual([12, 0, 2, 13]);
    const other = await company.run(await company.set('Elsewhere', {}));
    await expect(compare([good.id, other.id])).rejects.toMatchObject({ status: 400 });
    await expect(compare([good.id, good.id])).rejects.toMatchObject({ status: 400 });
    await expect(compare([good.id, 2_000_000_000])).rejects.toMatchObject({ status: 404 });
  });

  it('are compared by the means over the repeats of their items, and not by too few of them', async () => {
    const has = await company.world.criterion({ name: 'Has a reply', method: 'CONTAINS', config: { value: 're: ' } });
    const questions = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`q${at}`, null]));
    const set = await company.set('Repeated', questions(8), [has.id]);
    const good = await company.run(set, { repeats: 3, auto_score: true });
    const asked = new Map<string, number>();
    world().provider.answerWith(({ messages }) => {
      const question = String(messages.at(-1)?.content);
      asked.set(question, (asked.get(question) ?? 0) + 1);
      return asked.get(question) === 2 ? 'no' : `re: ${question}`;
    });
    const worse = await company.run(set, { repeats: 3, auto_score: true });
    const differences = async (test_run_ids: number[]) =>
      (
        await world().platform.bus.call(
          endpoints.compareTestRuns,
          { test_run_ids, offset: 0, limit: 100, confidence: 0.9 },
          company.world.caller(),
        )
      ).differences ?? [];
    const found = await differences([good.id, worse.id]);
    expect(found.map(({ criteria_id, verdict, method, n }) => [criteria_id, verdict, method, n])).toEqual([
      [null, 'worse', 'paired_t, Holm', 8],
      [has.id, 'worse', 'paired_t, Holm', 8],
    ]);
    for (const { difference } of found) expect(difference).toBeCloseTo(-1 / 3, 9);
    const few = await company.set('Few', questions(2), [has.id]);
    const runs = [await company.run(few, { auto_score: true }), await company.run(few, { auto_score: true })];
    expect(await differences(runs.map(({ id }) => id))).toMatchObject([
      { criteria_id: null, verdict: 'too_few', n: 2, low: null, p_value: null },
      { criteria_id: has.id, verdict: 'too_few', n: 2 },
    ]);
  });
}
