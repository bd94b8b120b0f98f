import {
  type ApiError,
  legacyTestRuns,
  testRuns,
  testSetItems,
  workflows,
  workflowVersions,
} from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import type { RunCompany, RunWorld } from '../run-world.js';
import { PAGE } from '../world.js';

const SCRIPT = `async function execute(ctx) {
  if (ctx.input.fail) throw new Error('asked to fail');
  return { doubled: ctx.input.n * 2 };
}
`;

const { endpoints: versions } = workflowVersions;
const NUMBERS = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };

/** Runs against workflows. */
export function workflowRuns(world: () => RunWorld): void {
  let company: RunCompany;
  let workflow_id: number;
  let set: number;
  const created = (workflow_ref_name: string, change: object = {}) =>
    world().platform.bus.call(
      workflows.endpoints.createWorkflow,
      {
        workflow_ref_name,
        description: '',
        language: 'javascript',
        script: SCRIPT,
        execution_mode: 'sync',
        allow_inproc_nesting: false,
        inproc_nested_refs: [],
        timeout_seconds: 30,
        memory_mb: 64,
        status: 'ENABLED',
        meta: {},
        ...change,
      } as never,
      company.world.caller(),
    );
  beforeAll(async () => {
    company = await world().company();
    const workflow = await created('double', { input_schema: NUMBERS });
    workflow_id = workflow.id;
    set = (await company.world.set({ name: 'Doubles' })).id;
    const inputs: [object, object | null][] = [
      [{ value: 2 }, { doubled: 4 }],
      [{ value: 3 }, { doubled: 7 }],
      [{ value: 1, fail: true }, null],
      [{ value: 'x' }, null],
    ];
    for (const [input, json] of inputs)
      await world().platform.bus.call(
        testSetItems.endpoints.createTestSetItem,
        { test_set_id: set, input: { input }, expected_output: json && { json }, meta: {} },
        company.world.caller(),
      );
  });
  const config = () => ({ workflow_id, input_mapping: { n: 'value' } });

  it('map inputs, check them against the schema, and end with the class of the run', async () => {
    const run = await company
      .run(set, {
        consumer_kind: 'WORKFLOW',
        consumer_config: { ...config(), input_mapping: { n: 'value', fail: 'fail' } },
      })
      .catch((error: ApiError) => error);
    // The second item has nothing to map to fail.
    expect(run).toMatchObject({
      status: 'COMPLETED',
      consumer_id: workflow_id,
      consumer_version: null,
      failed_items: 4,
    });
    const mapped = await company.run(set, { consumer_kind: 'WORKFLOW', consumer_config: config(), auto_score: true });
    const { data } = await company.items(mapped.id);
    expect(data.map(({ outcome, failure_class }) => [outcome, failure_class])).toEqual([
      ['PASS', null],
      ['FAIL', 'quality'],
      [null, null],
      ['ERROR', 'adapter'],
    ]);
    expect(data[0]).toMatchObject({ adapted_input: { input: { n: 2 } }, actual_output: { json: { doubled: 4 } } });
    expect(data[0]?.source_ref?.workflow_run_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('show what an item becomes', async () => {
    const [, , , wrong] = (
      await company.items((await company.run(set, { consumer_kind: 'WORKFLOW', consumer_config: config() })).id)
    ).data;
    const preview = await world().platform.bus.call(
      testRuns.endpoints.previewAdaptedInput,
      { test_set_item_id: wrong?.test_set_item_id ?? 0, consumer_kind: 'WORKFLOW', consumer_config: config() },
      company.world.caller(),
    );
    expect(preview.errors).toEqual([{ field: 'input', message: expect.any(String) as string }]);
  });

  it('are prepared with thousands of inputs that have a schema, also under the legacy path and after a reset', async () => {
    const { bus, sql } = world().platform;
    const { id: large } = await company.world.set({ name: 'Thousands' });
    const { companyId } = company.world;
    await sql.query(
      `INSERT INTO "test-runs".test_set_items (company_id, test_set_id, position, source_type, input, body_bytes)
       SELECT $1, $2, n, 'MANUAL', json_build_object('input', json_build_object('value', CASE WHEN n % 2 = 0 THEN to_json(n) ELSE '"x"' END)), 40
       FROM generate_series(0, 1999) n`,
      [companyId, large],
    );
    const run = await company.create(large, { consumer_kind: 'WORKFLOW', consumer_config: config() });
    expect(await company.prepare(run.id)).toMatchObject({ item_count: 2000, status: 'RUNNING', failed_items: 1000 });
    const legacy = await bus.call(
      legacyTestRuns.endpoints.createLegacyTestRun,
      { test_set_id: large, type: 'workflow', config: config() } as never,
      company.world.caller(),
    );
    expect(legacy).toMatchObject({ status: 'RUNNING' });
    await company.remove(legacy.id);
    // Only the items that failed are left, and then all inputs fit.
    await sql.query(`DELETE FROM "test-runs".run_items WHERE company_id = $1 AND status = 'PENDING'`, [companyId]);
    await company.execute(run.id);
    await company.completed(run.id);
    await sql.query(
      `UPDATE "test-runs".test_set_items SET input = json_build_object('input', json_build_object('value', position)) WHERE test_set_id = $1`,
      [large],
    );
    expect(await company.reset(run.id, ['adapter'])).toMatchObject({ reset_count: 1000 });
    expect((await company.progress(run.id)).failed_by_class).toEqual({});
    await company.remove(run.id);
  });

  it('are reset for the version that they were prepared with, wherever its release points now', async () => {
    const { id } = await created('released', { input_schema: NUMBERS });
    const call = (endpoint: (typeof versions)[keyof typeof versions], input: object): Promise<unknown> =>
      world().platform.bus.call(endpoint, { workflow_id: id, ...input } as never, company.world.caller());
    const publish = () => call(versions.publishVersion, { bump_type: 'minor', version_notes: '' });
    await publish();
    await call(versions.createRelease, { name: 'prod', version: '1.0.0', is_default: true });
    const run = await company.run(set, {
      consumer_kind: 'WORKFLOW',
      consumer_config: { workflow_id: id, release: 'prod', input_mapping: { n: 'value' } },
    });
    expect(run).toMatchObject({ consumer_version: '1.0.0', failed_items: 1 });
    await world().platform.bus.call(
      workflows.endpoints.updateWorkflow,
      { workflow_id: id, input_schema: { type: 'object' } } as never,
      company.world.caller(),
    );
    await publish();
    const failed = async () => {
      expect(await company.reset(run.id)).toMatchObject({ reset_count: 1 });
      await company.completed(run.id);
      return (await company.progress(run.id)).failed_by_class;
    };
    await call(versions.updateRelease, { release_name: 'prod', version: '1.1.0' });
    expect(await failed()).toEqual({ adapter: 1 });
    await call(versions.deleteRelease, { release_name: 'prod' });
    expect(await failed()).toEqual({ adapter: 1 });
  });

  it('and those of models alone appear under the legacy paths', async () => {
    const { id: test_set_id } = await company.world.set({ name: 'Legacy paths' });
    const agent = await company.agent();
    const consumers = [
      { consumer_kind: 'MODEL', consumer_config: { model: 'm' } },
      { consumer_kind: 'WORKFLOW', consumer_config: config() },
      { consumer_kind: 'AGENT', consumer_config: { agent_id: agent.id } },
      { consumer_kind: 'EXTERNAL', consumer_config: { url: 'https://x.example/' } },
    ] as const;
    const found: unknown[] = [];
    for (const consumer of consumers) {
      const { id } = await company.create(test_set_id, consumer);
      const caller = company.world.caller();
      const { getLegacyTestRun, listLegacyRunItems } = legacyTestRuns.endpoints;
      const read = (promise: Promise<unknown>) =>
        promise.then(
          () => 200,
          ({ status }: ApiError) => status,
        );
      found.push([
        await read(world().platform.bus.call(getLegacyTestRun, { id }, caller)),
        await read(world().platform.bus.call(listLegacyRunItems, { ...PAGE, id }, caller)),
      ]);
    }
    expect(found).toEqual([
      [200, 200],
      [200, 200],
      [404, 404],
      [404, 404],
    ]);
  });

  it('start one run for each item, however long it takes, also when its worker is lost meanwhile', async () => {
    const { platform, provider } = world();
    // A call waits for less than the run lasts.
    await platform.restartService('workflows', { INVOKE_TIMEOUT_SECONDS: '1' });
    const process = await platform.restartService('test-runs', { WORK_LEASE_SECONDS: '5' });
    let asked = 0;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    provider.answerWith(async () => {
      asked += 1;
      await released;
      return 'late';
    });
    const script = `async function execute(ctx) {
  const reply = await ctx.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'wait' }] });
  return reply.choices[0].message.content;
}
`;
    const { id: slow } = await created('slow', { script, timeout_seconds: 120 });
    const { id: one } = await company.world.set({ name: 'Slow' });
    const item = { test_set_id: one, input: { input: {} }, expected_output: { json: 'late' }, meta: {} };
    await platform.bus.call(testSetItems.endpoints.createTestSetItem, item, company.world.caller());
    const { id } = await company.create(one, {
      consumer_kind: 'WORKFLOW',
      consumer_config: { workflow_id: slow },
      auto_score: true,
    });
    await company.prepare(id);
    await company.execute(id);
    await eventually('the model is asked', () => asked > 0);
    await process.kill();
    await process.start();
    const again = async () => {
      const { rows } = await platform.sql.query(`SELECT 1 FROM "test-runs".run_items WHERE losses > 0`);
      return rows.length > 0;
    };
    await eventually('the item is continued', again, 60_000);
    // Three times as long as a call waits.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    release();
    expect(await company.completed(id)).toMatchObject({ completed_items: 1, matched_items: 1 });
    const { rows } = await platform.sql.query<{ n: number; took: number }>(
      `SELECT count(*)::int AS n, max(completed_at - started_at)::int AS took FROM workflows.runs WHERE workflow_id = $1`,
      [slow],
    );
    expect([rows[0]?.n, asked]).toEqual([1, 1]);
    // Not only as long as its second worker has waited.
    const [ended] = (await company.items(id)).data;
    expect(ended?.duration_ms).toBeGreaterThanOrEqual(rows[0]?.took ?? Infinity);
    for (const name of ['workflows', 'test-runs']) await platform.restartService(name, {});
  }, 180_000);
}
