import { type ApiError, testRuns, testSetItems, workflows } from '@signalbox/contracts';
import type { RunCompany, RunWorld } from '../run-world.js';

const SCRIPT = `async function execute(ctx) {
  if (ctx.input.fail) throw new Error('asked to fail');
  return { doubled: ctx.input.n * 2 };
}
`;

/** Runs against workflows. */
export function workflowRuns(world: () => RunWorld): void {
  let company: RunCompany;
  let workflow_id: number;
  let set: number;
  beforeAll(async () => {
    company = await world().company();
    const workflow = await world().platform.bus.call(
      workflows.endpoints.createWorkflow,
      {
        workflow_ref_name: 'double',
        description: '',
        language: 'javascript',
        script: SCRIPT,
        execution_mode: 'sync',
        input_schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
        allow_inproc_nesting: false,
        inproc_nested_refs: [],
        timeout_seconds: 30,
        memory_mb: 64,
        status: 'ENABLED',
        meta: {},
      } as never,
      company.world.caller(),
    );
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
}
