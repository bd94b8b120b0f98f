import { testRuns, testSetItems } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import type { RunCompany, RunWorld } from '../run-world.js';

const { endpoints } = testRuns;
const ITEMS = 60;

/** Scorings whose judges are models. */
export function judgedRuns(world: () => RunWorld): void {
  let company: RunCompany;
  let judged: Map<string, number>;
  /** Replies that judges may give; later ones wait for more. */
  let allowed: number;
  const questions = Array.from({ length: ITEMS }, (_, at) => `q${at}.`);
  beforeAll(async () => {
    company = await world().company();
    await world().platform.restartService('test-runs', { WORK_LEASE_SECONDS: '5' });
  });
  afterAll(() => world().platform.restartService('test-runs', {}));
  beforeEach(() => {
    judged = new Map();
    allowed = Infinity;
    world().provider.answerWith(async ({ messages, response_format }) => {
      const text = messages.map(({ content }) => String(content)).join('\n');
      if (!response_format) return `re: ${text}`;
      const item = /q\d+\./.exec(text)?.[0] ?? '';
      judged.set(item, (judged.get(item) ?? 0) + 1);
      const nth = total();
      await eventually('a judge may reply', () => nth <= allowed, 100_000);
      return JSON.stringify({ verdict: item === 'q7.' ? 'FAIL' : 'PASS', reason: `reason ${nth}` });
    });
  });
  const total = (): number => [...judged.values()].reduce((sum, each) => sum + each, 0);
  const repeated = (): [string, number][] => [...judged].filter(([, times]) => times > 1);
  const polite = (name: string) =>
    company.world.criterion({ name, method: 'LLM', prompt: 'Is it polite?', config: { model: 'm' } });
  const scored = (id: number) =>
    eventually('the run is scored', async () => {
      const summary = await company.score(id);
      return summary.status === 'SCORED' ? summary : undefined;
    });

  it('reply at once, continue after a lost worker, and pay no judge twice', async () => {
    const { id: criterion } = await polite('Polite');
    const set = await company.set('Judged', Object.fromEntries(questions.map((question) => [question, null])));
    const { id } = await company.run(set, { criteria_ids: [criterion] }, 16);
    allowed = 20;
    const begun = await company.score(id);
    expect(begun).toMatchObject({ status: 'SCORING', total: ITEMS });
    expect(begun.scored).toBeLessThan(ITEMS);
    await eventually('the judges wait', () => total() > allowed);
    expect((await company.progress(id)).scoring).toMatchObject({ status: 'SCORING', total: ITEMS });
    expect(await company.get(id)).toMatchObject({ scored_at: null, scoring: { status: 'SCORING' } });
    const stream = await world().platform.bus.call(
      endpoints.streamTestRun,
      { id, last_event_id: 0 },
      company.world.caller(),
    );
    expect(stream.ended).toBe(false);
    const process = world().platform.service('test-runs');
    await process.kill();
    // A provider is waited for no longer than a minute, which a slow machine may take to start the process.
    allowed = Infinity;
    await process.start();
    expect(await scored(id)).toMatchObject({ scored: ITEMS, matched: ITEMS - 1, mismatched: 1, unscored: 0 });
    expect([judged.size, repeated()]).toEqual([ITEMS, []]);
    const { data } = (await company.get(id), await company.items(id));
    expect(data.find(({ matched }) => matched === false)?.criteria_results[0]?.passed).toBe(false);
    // The same again judges nothing, and writes no further score.
    const again = await scored(id);
    expect(again).toMatchObject({ matched: ITEMS - 1 });
    expect(total()).toBe(ITEMS);
    const history = (item_id: number) =>
      world().platform.bus.call(
        endpoints.listItemScores,
        { id, item_id, offset: 0, limit: 5, sort: '-id' },
        company.world.caller(),
      );
    const scores = await history(data[0]?.id ?? 0);
    expect(scores.data).toHaveLength(1);
    expect(scores.data[0]?.judged_sha256).toMatch(/^[0-9a-f]{64}$/);
    // An override is judged alone.
    await world().platform.bus.call(
      testSetItems.endpoints.setResponseSub,
      { test_set_id: set, item_id: data[3]?.test_set_item_id ?? 0, expected_output: { text: 'other' } },
      company.world.caller(),
    );
    await scored(id);
    expect([total(), repeated()]).toEqual([ITEMS + 1, [['q3.', 2]]]);
  }, 180_000);

  it('of a run that scores itself resume after a restart, and complete it with its scores', async () => {
    const { id: criterion } = await polite('Polite itself');
    const set = await company.set('Judged itself', Object.fromEntries(questions.map((question) => [question, null])));
    allowed = 10;
    const { id } = await company.create(set, { criteria_ids: [criterion], auto_score: true });
    await company.prepare(id);
    await company.execute(id, 16);
    await eventually('the judges wait', () => total() > allowed, 60_000);
    expect(await company.get(id)).toMatchObject({ status: 'RUNNING', scoring: { status: 'SCORING' } });
    const process = world().platform.service('test-runs');
    await process.kill();
    const job = `"test-runs".work WHERE company_id = $1 AND kind = 'test_run_score' AND ref LIKE $2`;
    const { rows: runs } = await world().platform.sql.query<{ id: string }>(
      `SELECT id FROM "test-runs".runs WHERE company_id = $1 AND no = $2`,
      [company.world.companyId, id],
    );
    const values = [company.world.companyId, `${runs[0]?.id}/%`];
    // As if it had lost four workers.
    await world().platform.sql.query(
      `UPDATE "test-runs".work SET attempt = 4 WHERE id IN (SELECT id FROM ${job})`,
      values,
    );
    // A provider is waited for no longer than a minute, which a slow machine may take to start the process.
    allowed = Infinity;
    await process.start();
    expect(await company.completed(id)).toMatchObject({ matched_items: ITEMS - 1, scoring: { status: 'SCORED' } });
    expect([judged.size, repeated()]).toEqual([ITEMS, []]);
    // What was scored since then counts: it may lose workers again.
    expect((await world().platform.sql.query(`SELECT attempt FROM ${job}`, values)).rows).toEqual([{ attempt: 1 }]);
  }, 180_000);

  it('of a run that scores itself end with its cancellation, and a later score continues them', async () => {
    const { id: criterion } = await polite('Polite until then');
    const set = await company.set('Judged in part', Object.fromEntries(questions.map((question) => [question, null])));
    allowed = 0;
    const { id } = await company.create(set, { criteria_ids: [criterion], auto_score: true });
    await company.prepare(id);
    await company.execute(id, 16);
    await eventually('the judges wait', () => total() > 0, 60_000);
    expect(await company.cancel(id)).toMatchObject({ status: 'COMPLETED', failed_items: 0, scored_at: null });
    expect((await company.get(id)).scoring).toMatchObject({ status: 'FAILED' });
    allowed = Infinity;
    await eventually('the scoring has ended', async () => {
      const open = `SELECT 1 FROM "test-runs".work WHERE company_id = $1 AND kind = 'test_run_score' AND done_at IS NULL`;
      return (await world().platform.sql.query(open, [company.world.companyId])).rows.length === 0;
    });
    expect(total()).toBeLessThan(ITEMS);
    expect(await scored(id)).toMatchObject({ scored: ITEMS, matched: ITEMS - 1, mismatched: 1 });
    expect([judged.size, repeated()]).toEqual([ITEMS, []]);
  }, 180_000);

  it('average the repeats of items', async () => {
    const { id: criterion } = await polite('Often');
    let asked = 0;
    world().provider.answerWith(({ response_format }) =>
      response_format
        ? JSON.stringify({ verdict: ++asked % 5 < 3 ? 'PASS' : 'FAIL', reason: 'x' })
        : `answer ${Math.random()}`,
    );
    const set = await company.set('Repeated', { a: null });
    const { id } = await company.run(set, { criteria_ids: [criterion], repeats: 5, auto_score: true });
    const summary = await scored(id);
    expect(summary).toMatchObject({ matched: 1, weighted_score: 0.6 });
    expect(summary.criteria).toMatchObject([{ avg_score: 0.6, pass_rate: 0.6, errors: 0 }]);
    expect(asked).toBe(5);
  });
}
