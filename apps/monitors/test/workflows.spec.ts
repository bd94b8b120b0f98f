import { monitorPreviews, monitors, type Workflow, workflowRuns, workflows } from '@signalbox/contracts';
import { eventually, type ModelProvider, Platform, startModelProvider } from '@signalbox/testing';
import { direct, PAGE, when, World } from './world.js';

let platform: Platform;
let world: World;
let outside: ModelProvider;
beforeAll(async () => {
  outside = await startModelProvider();
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'monitors', 'workflows', 'runner']);
}, 120_000);
afterAll(async () => {
  await platform.stop();
  await outside.close();
});
beforeEach(async () => {
  world = await World.make(platform);
});

let names = 0;
const workflow = (body: string): Promise<Workflow> =>
  platform.bus.call(
    workflows.endpoints.createWorkflow,
    {
      workflow_ref_name: `flow-${++names}`,
      description: '',
      language: 'javascript',
      script: `async function execute(ctx) {\n${body}\n}\n`,
      execution_mode: 'sync',
      allow_inproc_nesting: false,
      inproc_nested_refs: [],
      timeout_seconds: 30,
      memory_mb: 64,
      status: 'ENABLED',
      meta: {},
    },
    world.caller(),
  );

/** The id of a completed run. */
async function execute(workflow_id: number, input: object): Promise<string> {
  const call = { workflow_id, input, params: {}, secrets: {}, metadata: { of: 'a test' } };
  const run = await platform.bus.call(
    workflowRuns.endpoints.executeWorkflow,
    call,
    world.caller({ deadline: Date.now() + 30_000 }),
  );
  expect(run.status).toBe('COMPLETED');
  return run.id ?? '';
}

const judgedBy = (resource_id: number) => ({
  runner: { resource_type: 'workflow' as const, resource_id, input: { prompt: 'be polite' } },
  result: { fault: when('polite', 'is_false'), default_outcome: 'PASS' as const },
  limits: { timeout_ms: 30_000 },
});

describe('a workflow that is watched', () => {
  it('has its completed runs judged once each by their input, output and metadata', async () => {
    const { id } = await workflow('return { answer: ctx.input.question };');
    const monitor = await world.watching('workflow', id, {
      config: direct(when('output.answer', 'contains', 'stupid')),
    });
    const [bad, good] = [await execute(id, { question: 'stupid' }), await execute(id, { question: 'polite' })];
    const runs = await world.judged(monitor.id, 2);
    expect(new Map(runs.map(({ source_id, outcome }) => [source_id, outcome]))).toEqual(
      new Map([
        [good, 'PASS'],
        [bad, 'FAULT'],
      ]),
    );
    expect(runs.find(({ source_id }) => source_id === bad)).toMatchObject({
      source_type: 'workflow_run',
      runner_output: {
        run_id: bad,
        input: { question: 'stupid' },
        output: { answer: 'stupid' },
        metadata: { of: 'a test' },
      },
    });
    const sampled = await platform.bus.call(
      monitorPreviews.endpoints.sampleTarget,
      { target_type: 'workflow', target_id: id },
      world.caller(),
    );
    expect(sampled).toMatchObject({ source_type: 'workflow_run', source_id: good, payload: { run_id: good } });
  }, 60_000);

  it('is a target of its company alone, keeps its name there, and is no target after its deletion', async () => {
    const { id } = await workflow('return 1;');
    const other = await World.make(platform);
    const foreign = await other.monitor();
    await expect(other.attach(foreign.id, 'workflow', id)).rejects.toMatchObject({ status: 404 });
    const { id: monitorId } = await world.monitor();
    await world.attach(monitorId, 'workflow', id);
    await platform.bus.call(
      workflows.endpoints.updateWorkflow,
      { workflow_id: id, workflow_name: 'Another name' },
      world.caller(),
    );
    await eventually('the target has the new name', async () =>
      (await world.get(monitorId)).targets?.some(({ target_name }) => target_name === 'Another name'),
    );
    const removal = { workflow_id: id, force: false };
    const remove = (force: boolean) =>
      platform.bus.call(workflows.endpoints.deleteWorkflow, { ...removal, force }, world.caller());
    await expect(remove(false)).rejects.toMatchObject({ status: 409 });
    await remove(true);
    await eventually('the target is detached', async () => (await world.get(monitorId)).targets?.length === 0);
  }, 60_000);
});

describe('a workflow that judges', () => {
  it('receives the payload with messages and response, and its output decides; its own run is not judged', async () => {
    const judge = await workflow(
      `const said = ctx.input.response.content;
       return { polite: !said.includes('stupid'), prompt: ctx.input.prompt, asked: ctx.input.messages[0].content,
         request_id: ctx.input.payload.request_id };`,
    );
    const intent = await world.intent();
    const { id } = await world.watching('intent', intent.id, { config: judgedBy(judge.id) });
    const witness = await world.watching('workflow', judge.id, { name: 'watches the judge' });
    const [bad, good] = [await world.request(intent, 'stupid'), await world.request(intent, 'gladly')];
    const runs = await world.judged(id, 2);
    expect(new Map(runs.map(({ source_id, outcome }) => [source_id, outcome]))).toEqual(
      new Map([
        [good, 'PASS'],
        [bad, 'FAULT'],
      ]),
    );
    expect(runs.find(({ source_id }) => source_id === bad)).toMatchObject({
      runner_type: 'workflow',
      runner_ref_id: String(judge.id),
      runner_output: { polite: false, prompt: 'be polite', asked: 'hello', request_id: bad },
    });
    // Selected after the runs of the judge, for the events of workflows are in order.
    const seen = await execute(judge.id, { response: { content: '' }, messages: [{ content: '' }], payload: {} });
    expect((await world.judged(witness.id, 1)).map(({ source_id }) => source_id)).toEqual([seen]);
  }, 60_000);

  it('that takes longer than the limit is run once, cancelled, and what it has cost is counted', async () => {
    const model = await world.judgeModel(outside.url);
    let asked = 0;
    outside.answerWith(() => (++asked === 1 ? 'first' : { hang: true }));
    const judge = await workflow(
      `const ask = () => ctx.chat.completions.create({ model: '${model.model_name}', messages: [{ role: 'user', content: 'Polite?' }] });
       await ask();
       await ask();
       return { polite: true };`,
    );
    const intent = await world.intent();
    const { id } = await world.watching('intent', intent.id, {
      config: { ...judgedBy(judge.id), limits: { timeout_ms: 4000 } },
    });
    await world.request(intent, 'gladly');
    const [run] = await world.judgedWithoutPauses(id, 1);
    expect(run).toMatchObject({ outcome: 'ERROR', failure_class: 'timeout', cost: expect.any(Number) });
    expect(run!.cost).toBeGreaterThan(0);
    expect((await world.metrics(id)).cost_today).toBeCloseTo(run!.cost!, 9);
    const made = await platform.bus.call(
      workflowRuns.endpoints.listAllRuns,
      { ...PAGE, workflow_id: judge.id },
      world.caller(),
    );
    expect(made.data.map(({ status }) => status)).toEqual(['CANCELLED']);
  }, 60_000);

  it('that throws is an ERROR with the class of its run, and never a fault', async () => {
    const judge = await workflow(`throw new Error('broken judge');`);
    const { outcome, failure_class, error_message } = await platform.bus.call(
      monitorPreviews.endpoints.previewConfig,
      { use: 'adhoc', config: judgedBy(judge.id), payload: { messages: [], response: 'x' } },
      world.caller({ deadline: Date.now() + 30_000 }),
    );
    expect({ outcome, failure_class }).toEqual({ outcome: 'ERROR', failure_class: 'sandbox' });
    expect(error_message).toContain('broken judge');
  }, 60_000);

  it('must exist in the company, with its release, and is not deleted while a draft runs it', async () => {
    const judge = await workflow('return 1;');
    const config = judgedBy(judge.id);
    const other = await World.make(platform);
    await expect(other.monitor({ config })).rejects.toMatchObject({ status: 404 });
    const released = { ...config, runner: { ...config.runner, release: 'prod' } };
    await expect(world.monitor({ config: released })).rejects.toMatchObject({ status: 404 });
    const { id } = await world.monitor({ config });
    const removal = { workflow_id: judge.id, force: true };
    const remove = () => platform.bus.call(workflows.endpoints.deleteWorkflow, removal, world.caller());
    await expect(remove()).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining(`run the workflow: ${id}`),
    });
    await platform.bus.call(monitors.endpoints.deleteMonitor, { monitor_id: id }, world.caller());
    await remove();
  });
});
