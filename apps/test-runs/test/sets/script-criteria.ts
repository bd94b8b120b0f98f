import { type CriterionTrial, evaluationCriteria, type InputOf } from '@signalbox/contracts';
import { platform, world } from './fixture.js';

const { endpoints } = evaluationCriteria;
type Trial = Omit<InputOf<typeof endpoints.testCriteria>, 'criteria_id'>;

const tried = async (config: object, trial: Partial<Trial> = {}, change: object = {}): Promise<CriterionTrial> => {
  const criterion = await world.criterion({ name: `C${Math.random()}`, method: 'SCRIPT', config, ...change });
  return platform.bus.call(
    endpoints.testCriteria,
    { criteria_id: criterion.id, actual_output: { text: 'yes' }, ...trial },
    world.caller(),
  );
};
/** The default of five seconds of wall clock is too short for a runner that shares its processor. */
const timeout_ms = 30_000;
const script = (body: string) => ({ script: `function score(item) {\n${body}\n}`, timeout_ms });

describe('criteria that are scripts', () => {
  it('are compiled when they are written, with the lines of what is wrong', async () => {
    const wrong = { script: 'function score(item) {\n  return item.;\n}' };
    await expect(world.criterion({ method: 'SCRIPT', config: wrong })).rejects.toMatchObject({
      status: 422,
      extras: { details: [{ field: 'config.script', message: 'line 2, column 15: Unexpected token' }] },
    });
    const other = world.criterion({ method: 'SCRIPT', config: { script: 'function execute() {}' } });
    await expect(other).rejects.toMatchObject({ message: expect.stringContaining('no top-level function score') });
    await expect(world.criterion({ method: 'SCRIPT', config: { script: ' ' } })).rejects.toMatchObject({ status: 422 });
    const byDefault = { script: script('return true;').script };
    const { id, config } = await world.criterion({ method: 'SCRIPT', config: byDefault });
    expect(config).toMatchObject({ language: 'javascript', timeout_ms: 5000, with_steps: false });
    const change = { criteria_id: id, config: wrong };
    await expect(platform.bus.call(endpoints.updateCriteria, change, world.caller())).rejects.toMatchObject({
      status: 422,
    });
    const validation = await platform.bus.call(
      endpoints.validateCriteria,
      { language: 'javascript', script: wrong.script },
      world.caller(),
    );
    expect(validation).toEqual({ valid: false, errors: [{ line: 2, column: 15, message: 'Unexpected token' }] });
  });

  it('get the item, and say why', async () => {
    const result = await tried(
      script(`console.log('saw', item.output);
        return { pass: item.expected === 'yes', score: 0.5, reason: JSON.stringify([item.input, item.item.metadata,
          item.latency_ms, item.cost, Object.keys(item)]) };`),
      {
        input: [{ role: 'user', content: 'really?' }],
        expected_output: { text: 'yes' },
        metadata: { kind: 'a' },
        latency_ms: 12,
        cost: 0.5,
      },
    );
    expect(result).toMatchObject({ score: 0.5, passed: true, logs: [{ level: 'info', message: 'saw yes' }] });
    expect(JSON.parse(result.description)).toEqual([
      'really?',
      { kind: 'a' },
      12,
      0.5,
      ['input', 'messages', 'output', 'output_message', 'expected', 'item', 'latency_ms', 'cost'],
    ]);
  });

  it('pass at the threshold of the criterion', async () => {
    const half = script('return 0.5;');
    expect(await tried(half, {}, { pass_threshold: 0.5 })).toMatchObject({ score: 0.5, passed: true, threshold: 0.5 });
    expect(await tried(half, {}, { pass_threshold: 0.6 })).toMatchObject({ score: 0.5, passed: false });
    expect(await tried(script('return false;'))).toMatchObject({
      score: 0,
      passed: false,
      description: 'the script returned false',
    });
  });

  it('are errors, not failures, when they fail', async () => {
    const hostile: [string, string, string | RegExp][] = [
      ['throw new TypeError("no such field");', 'sandbox', 'the script failed: TypeError: no such field (line 2)'],
      ['throw undefined;', 'sandbox', /^the script failed: undefined/],
      ['throw { toString() { throw 1 } };', 'sandbox', /^the script failed: /],
      ['throw new Proxy({}, { has() { throw 1 } });', 'sandbox', /^the script failed: /],
      ['throw "a\\0b\\ud800";', 'sandbox', /^the script failed: a/],
      ['const held = []; for (;;) held.push(new Array(1e6).fill(1));', 'sandbox', /memory/],
      ['return "x".repeat(6_000_000);', 'sandbox', /longer than 5 MiB/],
      ['return 1n;', 'sandbox', /BigInt/],
      ['return new Promise(() => undefined);', 'sandbox', /nothing settles/],
      ['return (function f() { return f() + 1; })();', 'sandbox', /stack/i],
      ['return fetch("https://example.com");', 'sandbox', /fetch'? is not defined/],
      ['return "fine";', 'judge', /^the script returned "fine": it must return a boolean/],
      ['return NaN;', 'judge', /^the script returned nothing/],
      ['return 2;', 'judge', /^the script returned 2/],
    ];
    for (const [body, failure_class, description] of hostile)
      expect([body, await tried(script(body))]).toEqual([
        body,
        expect.objectContaining({
          score: null,
          passed: null,
          failure_class,
          description: typeof description === 'string' ? description : expect.stringMatching(description),
        }),
      ]);
    expect(await tried({ ...script('for (;;);'), timeout_ms: 300 })).toMatchObject({
      passed: null,
      failure_class: 'timeout',
      description: 'the script did not end within 0.3 s',
    });
  });

  it('log within bounds, and strange results are kept as text', async () => {
    const { logs = [], description } = await tried(
      script('for (let n = 0; n < 5000; n++) console.log("x".repeat(3000)); return { pass: true, reason: "a\\0b" };'),
    );
    expect([logs.length <= 100, logs.every(({ message }) => message.length <= 2001), description]).toEqual([
      true,
      true,
      'ab',
    ]);
  });

  it('may be Python', async () => {
    const python =
      'def score(item):\n    print("len", len(item["output"]))\n    return {"score": 1 / len(item["output"])}';
    expect(await tried({ language: 'python', script: python, timeout_ms }, {}, { pass_threshold: 0.3 })).toMatchObject({
      score: 1 / 3,
      passed: true,
      logs: [{ level: 'info', message: 'len 3' }],
    });
  }, 120_000);
});

describe('criteria on how an output came about', () => {
  const figure = (method: 'LATENCY' | 'COST' | 'STEPS', config: object, trial: Partial<Trial>) =>
    tried(config, trial, { method });

  it('pass up to a latency and a cost, and are errors where these are not known', async () => {
    const slow = { max_latency_ms: 800 };
    expect(await figure('LATENCY', slow, { latency_ms: 800 })).toMatchObject({ passed: true, score: 1 });
    expect(await figure('LATENCY', slow, { latency_ms: 801 })).toMatchObject({
      passed: false,
      description: 'took 801 ms, at most 800 ms',
    });
    expect(await figure('LATENCY', slow, {})).toMatchObject({ passed: null, failure_class: 'judge' });
    const dear = { max_cost: 0.000002 };
    expect(await figure('COST', dear, { cost: 0.000002 })).toMatchObject({ passed: true });
    expect(await figure('COST', dear, { cost: 0.01 })).toMatchObject({
      passed: false,
      description: 'cost $0.01, at most $0.000002',
    });
    expect(await figure('COST', dear, { cost: null })).toMatchObject({
      passed: null,
      failure_class: 'judge',
      description: expect.stringContaining('not known'),
    });
  });

  it('read the steps of a run, and are errors where there are none', async () => {
    const flow = `async function execute(ctx) { await ctx.step('load', () => 1); return ctx.step('save', () => 2); }`;
    const workflow_run_id = await world.workflowRun({ input: {} }, flow);
    const checks = { checks: [{ kind: 'order', tools: ['load', 'save'] }] };
    expect(await figure('STEPS', checks, { source_ref: { workflow_run_id } })).toMatchObject({
      passed: true,
      description: 'the check holds',
    });
    const back = { checks: [{ kind: 'order', tools: ['save', 'load'] }] };
    expect(await figure('STEPS', back, { source_ref: { workflow_run_id } })).toMatchObject({
      passed: false,
      description: 'load was not called after save; called: load, save',
    });
    const none = await figure('STEPS', checks, { source_ref: { request_id: workflow_run_id } });
    expect(none).toMatchObject({ passed: null, failure_class: 'judge', description: 'a call of a model has no steps' });
    const gone = await figure('STEPS', checks, { source_ref: { agent_task_id: workflow_run_id } });
    expect(gone).toMatchObject({ passed: null, description: 'the trace of the item has not arrived' });
    expect(await figure('STEPS', checks, {})).toMatchObject({ passed: null, failure_class: 'judge' });
    const names = script(
      'return { pass: item.status === "COMPLETED", reason: item.steps.map(({ tool }) => tool).join() };',
    );
    expect(await tried({ ...names, with_steps: true }, { source_ref: { workflow_run_id } })).toMatchObject({
      passed: true,
      description: 'load,save',
    });
    expect(await tried({ ...names, with_steps: true })).toMatchObject({ passed: null, failure_class: 'judge' });
  });

  it('refuse patterns that do not compile', async () => {
    const checks = [{ kind: 'called' as const, tool: 'a', arguments: [{ matches: '(' }] }];
    await expect(world.criterion({ method: 'STEPS', config: { checks } })).rejects.toMatchObject({ status: 422 });
  });
});
