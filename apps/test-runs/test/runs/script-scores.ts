import { actions, evaluationCriteria, testRuns, workflows } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import type { RunCompany, RunWorld } from '../run-world.js';

/** Several slices of a scoring, each of many groups. */
const ITEMS = 600;
/** How many are scored when the runner, and then the service, is killed. */
const [FIRST_KILL, SECOND_KILL] = [50, 250];
/** The longest that the wall clock of an item may be: the runner may be slow. */
const timeout_ms = 30_000;
const { endpoints } = testRuns;

/** Scores by scripts, by steps, by latency and by cost. */
export function scriptedScores(world: () => RunWorld): void {
  let company: RunCompany;
  beforeAll(async () => {
    company = await world().company();
    await world().platform.restartService('test-runs', { WORK_LEASE_SECONDS: '5' });
  });
  afterAll(() => world().platform.restartService('test-runs', {}));
  beforeEach(() => world().provider.answerWith(({ messages }) => `re: ${String(messages.at(-1)?.content)}`));

  const bus: RunWorld['platform']['bus']['call'] = (endpoint, input, caller) =>
    world().platform.bus.call(endpoint, input, caller);
  const scripted = (name: string, body: string, more: object = {}) =>
    company.world.criterion({
      ...{ name, method: 'SCRIPT', config: { script: `function score(item) {\n${body}\n}`, ...more } },
    });
  const scored = (id: number, limitMs = 200_000) =>
    eventually(
      'the run is scored',
      async () => {
        const summary = await company.score(id);
        return summary.status === 'SCORED' ? summary : undefined;
      },
      limitMs,
    );

  /** A completed run of many items, of which only the first was executed. */
  const largeRun = async (name: string, criteria_ids: number[]): Promise<number> => {
    const set = await company.set(name, { first: null }, criteria_ids);
    const { id } = await company.run(set, { criteria_ids });
    const { companyId } = company.world;
    const values = [companyId, id, ITEMS];
    await world().platform.sql.query(
      `WITH run AS (SELECT id FROM "test-runs".runs WHERE company_id = $1 AND no = $2),
         item AS (
           INSERT INTO "test-runs".run_items (company_id, run_id, test_set_item_id, position, status, adapted_input, attempts,
             started_at, completed_at)
           SELECT i.company_id, i.run_id, i.test_set_item_id, n, i.status, json_build_object('message', n::text), 1, i.started_at,
             i.completed_at
           FROM "test-runs".run_items i JOIN run ON run.id = i.run_id, generate_series(1, $3::int - 1) n
           WHERE i.company_id = $1 RETURNING id, run_id, position)
       INSERT INTO "test-runs".run_attempts (company_id, run_id, run_item_id, attempt, repeat, status, actual_output, source_ref,
         duration_ms, started_at, completed_at)
       SELECT $1, item.run_id, item.id, 1, 1, 'COMPLETED', json_build_object('text', item.position::text), a.source_ref, 5,
         a.started_at, a.completed_at
       FROM item JOIN "test-runs".run_attempts a ON a.company_id = $1 AND a.run_id = item.run_id`,
      values,
    );
    await world().platform.sql.query(
      `UPDATE "test-runs".runs SET total_items = $3, completed_items = $3 WHERE company_id = $1 AND no = $2`,
      values,
    );
    return id;
  };
  /** How many scores the items of a run have, and how many of them each criterion has passed, failed and not judged. */
  const counts = async (id: number) => {
    const { rows } = await world().platform.sql.query(
      `SELECT count(DISTINCT c.run_item_id)::int AS items, count(*)::int AS scores,
         count(*) FILTER (WHERE c.matched)::int AS matched, count(*) FILTER (WHERE NOT c.matched)::int AS mismatched,
         count(*) FILTER (WHERE c.failure_class IS NOT NULL)::int AS errors
       FROM "test-runs".run_scores c JOIN "test-runs".runs r ON r.company_id = c.company_id AND r.id = c.run_id
       WHERE r.company_id = $1 AND r.no = $2`,
      [company.world.companyId, id],
    );
    return rows[0] as Record<'items' | 'scores' | 'matched' | 'mismatched' | 'errors', number>;
  };

  it('score each of many items once, while the runner and the service are killed', async () => {
    const { id: criterion } = await scripted(
      'Even',
      'return { pass: Number(item.output) % 2 === 0, reason: item.output };',
      { timeout_ms },
    );
    const id = await largeRun('Many', [criterion]);
    const progressed = (part: number) =>
      eventually('a part is scored', async () => ((await company.progress(id)).scoring?.scored ?? 0) >= part, 120_000);
    await company.score(id);
    await progressed(FIRST_KILL);
    const runner = world().platform.service('runner');
    await runner.kill();
    await runner.start();
    await progressed(SECOND_KILL);
    const service = world().platform.service('test-runs');
    await service.kill();
    await service.start();
    const summary = await scored(id);
    // The first output is a text: no number, and not even; the others are the numbers from 1 on.
    const even = ITEMS / 2 - 1;
    expect(summary).toMatchObject({ total: ITEMS, matched: even, mismatched: ITEMS - even, errors: 0, unscored: 0 });
    expect(await counts(id)).toEqual({
      items: ITEMS,
      scores: ITEMS,
      matched: even,
      mismatched: ITEMS - even,
      errors: 0,
    });
    // Nothing has changed, so nothing is executed again.
    await scored(id);
    expect((await counts(id)).scores).toBe(ITEMS);
  }, 300_000);

  it('of a cancelled run are those of the items that have ended, each once', async () => {
    const { id: criterion } = await scripted('Any', 'return true;');
    const set = await company.set('Cancelled', { first: null, wait: null }, [criterion]);
    const asked = new Promise<void>((resolve) =>
      world().provider.answerWith(async ({ messages }) => {
        if (messages.at(-1)?.content !== 'wait') return 'done';
        resolve();
        return new Promise<string>(() => undefined);
      }),
    );
    const { id } = await company.create(set, { criteria_ids: [criterion], auto_score: true });
    await company.prepare(id);
    await company.execute(id, 2);
    await asked;
    await eventually('one item has ended', async () => (await company.progress(id)).completed === 1);
    expect(await company.score(id)).toMatchObject({ partial: true, matched: 1 });
    await company.cancel(id);
    expect(await scored(id)).toMatchObject({ matched: 1, errors: 1, errors_by_class: { internal: 1 } });
    expect(await counts(id)).toMatchObject({ items: 1, scores: 1, matched: 1 });
  });

  it('of hostile scripts are errors of the judge, which a mended script heals', async () => {
    const { id: criterion } = await scripted(
      'Hostile',
      `if (item.output === 're: memory') { const held = []; for (;;) held.push(new Array(1e6).fill(1)); }
       if (item.output === 're: long') return { pass: true, reason: 'x'.repeat(6_000_000) };
       if (item.output === 're: throw') throw { get message() { throw 1; } };
       if (item.output === 're: odd') return 'odd';
       return true;`,
      { timeout_ms },
    );
    const questions = ['memory', 'long', 'throw', 'odd', 'good'];
    const set = await company.set('Hostile', Object.fromEntries(questions.map((each) => [each, null])));
    const { id } = await company.run(set, { criteria_ids: [criterion] });
    expect(await scored(id)).toMatchObject({ matched: 1, mismatched: 0, errors: 4, errors_by_class: { judge: 4 } });
    const { data } = await company.items(id);
    expect(data.map(({ outcome, criteria_results: [result] }) => [outcome, result?.failure_class ?? null])).toEqual([
      ['ERROR', 'sandbox'],
      ['ERROR', 'sandbox'],
      ['ERROR', 'sandbox'],
      ['ERROR', 'judge'],
      ['PASS', null],
    ]);
    expect(data[0]).toMatchObject({ failure_class: 'judge', error_message: expect.stringContaining('memory') });
    const config = { script: 'function score() { return 0.5; }' };
    await bus(
      evaluationCriteria.endpoints.updateCriteria,
      { criteria_id: criterion, config, pass_threshold: 0.5 },
      company.world.caller(),
    );
    const healed = await scored(id);
    expect(healed).toMatchObject({ matched: 5, errors: 0, weighted_score: 0.5 });
    expect(healed.criteria).toMatchObject([{ avg_score: 0.5, pass_rate: 1, errors: 0 }]);
  });

  it('of a script that does not end are errors within its time', async () => {
    const { id: criterion } = await scripted('Endless', 'for (;;);', { timeout_ms: 500 });
    const set = await company.set('Endless', { a: null });
    const { id } = await company.run(set, { criteria_ids: [criterion] });
    expect(await scored(id)).toMatchObject({ matched: 0, errors: 1, errors_by_class: { judge: 1 } });
    const [item] = (await company.items(id)).data;
    expect(item).toMatchObject({
      failure_class: 'judge',
      error_message: 'the script did not end within 0.5 s',
      criteria_results: [{ failure_class: 'timeout', passed: null }],
    });
  });

  it('see what each item took and cost, and judge an item again that has another attempt', async () => {
    const fast = await company.world.criterion({ name: 'Fast', method: 'LATENCY', config: { max_latency_ms: 60_000 } });
    const never = await company.world.criterion({ name: 'Never', method: 'LATENCY', config: { max_latency_ms: 0 } });
    const cheap = await company.world.criterion({ name: 'Cheap', method: 'COST', config: { max_cost: 1 } });
    const set = await company.set('Figures', { a: null });
    const quick = await company.run(set, { criteria_ids: [fast.id] });
    expect(await scored(quick.id)).toMatchObject({ matched: 1, criteria: [{ name: 'Fast', pass_rate: 1 }] });
    // A model without a price.
    expect(await company.score(quick.id, [never.id, cheap.id])).toMatchObject({ matched: 0, errors: 1 });
    expect(await company.score(quick.id, [never.id])).toMatchObject({ matched: 0, mismatched: 1, errors: 0 });
    const [item] = (await company.items(quick.id)).data;
    const { data } = await bus(
      endpoints.listItemScores,
      { id: quick.id, item_id: item?.id ?? 0, offset: 0, limit: 5, sort: '-id' },
      company.world.caller(),
    );
    expect(data.map(({ criteria_results }) => criteria_results.map(({ description }) => description))).toEqual([
      [expect.stringMatching(/^took \d+ ms, at most 0 ms$/)],
      [expect.stringMatching(/^took/), expect.stringContaining('the cost of the item is not known')],
      [expect.stringMatching(/^took \d+ ms, at most 60000 ms$/)],
    ]);
  });

  it('by steps follow the task of an agent', async () => {
    const agent = await company.agent({ agent_name: 'Steps' });
    const action = {
      ...{ agent_id: agent.id, action_name: 'find_order', action_type: 'api', description: 'd', enabled: true },
      action_config: { endpoint: 'https://api.example.com/x', mock_response: { id: 7 } },
      ...{ meta: {}, is_default: false, action_result_type: 'gather_info', invocation_mode: 'foreground' },
    };
    await bus(actions.endpoints.createAction, action as never, company.world.caller());
    world().provider.answerWith(({ messages }) => {
      const last = messages.at(-1);
      if (last?.role === 'tool' || last?.content === 'skip') return 'done';
      return { toolCalls: [{ name: 'find_order', arguments: { id: 7, note: 'for Ada' } }] };
    });
    const steps = await company.world.criterion({
      name: 'Looks it up',
      method: 'STEPS',
      config: {
        checks: [
          { kind: 'called', tool: 'find_order', max_times: 1, arguments: [{ path: 'id', equals: 7 }] },
          { kind: 'called', tool: 'find_order', arguments: [{ path: 'note', matches: '\\bAda$' }] },
          { kind: 'no_failed_step' },
        ],
      },
    });
    const { id: script } = await scripted(
      'Counts them',
      'return { pass: item.steps.length === 1, reason: item.steps.length + " steps, " + item.steps[0]?.output?.id };',
      { with_steps: true },
    );
    const set = await company.set('Steps', { find: null, skip: null });
    const { id } = await company.run(set, {
      ...{ consumer_kind: 'AGENT', consumer_config: { agent_id: agent.id }, criteria_ids: [steps.id, script] },
    });
    expect(await scored(id)).toMatchObject({ matched: 1, mismatched: 1, errors: 0 });
    const { data } = await company.items(id);
    expect(
      data.map(({ outcome, criteria_results }) => [outcome, ...criteria_results.map((each) => each.description)]),
    ).toEqual([
      ['PASS', 'all 3 checks hold', '1 steps, 7'],
      ['FAIL', expect.stringContaining('find_order with these arguments was not called'), '0 steps, undefined'],
    ]);
    // The call of a model has none.
    const model = await company.run(set, { criteria_ids: [steps.id] });
    expect(await scored(model.id)).toMatchObject({
      matched: 0,
      mismatched: 0,
      errors: 2,
      errors_by_class: { judge: 2 },
    });
  });

  it('by steps follow the run of a workflow, also in the runs that it starts', async () => {
    const body = (workflow_ref_name: string, script: string, inproc_nested_refs: string[]) =>
      ({
        ...{ workflow_ref_name, description: '', language: 'javascript', script, execution_mode: 'sync' },
        ...{
          allow_inproc_nesting: inproc_nested_refs.length > 0,
          inproc_nested_refs,
          timeout_seconds: 30,
          memory_mb: 64,
        },
        ...{ status: 'ENABLED', meta: {} },
      }) as never;
    const create = (ref: string, script: string, nested: string[] = []) =>
      bus(workflows.endpoints.createWorkflow, body(ref, script, nested), company.world.caller());
    await create('inner', `async function execute(ctx) { return ctx.step('inside', () => 1); }`);
    const { id: workflow_id } = await create(
      'outer',
      `async function execute(ctx) { await ctx.step('before', () => 1); return ctx.workflows.execute('inner', {}); }`,
      ['inner'],
    );
    const criterion = await company.world.criterion({
      name: 'Goes inside',
      method: 'STEPS',
      config: {
        checks: [
          { kind: 'order', tools: ['before', 'inner', 'inside'] },
          { kind: 'not_called', tool: 'http.fetch' },
          { kind: 'status', status: 'COMPLETED' },
          { kind: 'no_failed_step' },
        ],
      },
    });
    const set = await company.set('Outer', { a: null });
    const { id } = await company.run(set, {
      ...{
        consumer_kind: 'WORKFLOW',
        consumer_config: { workflow_id, input_mapping: {} },
        criteria_ids: [criterion.id],
      },
    });
    expect(await scored(id)).toMatchObject({ matched: 1, errors: 0 });
  });
}
