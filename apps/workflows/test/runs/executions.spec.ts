import { workflowRuns, workflows } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { PAGE } from '../world.js';
import { company, world } from './fixture.js';

const api = workflowRuns.endpoints;

describe('an execution', () => {
  it('that is sync replies with the run at its end', async () => {
    const id = await company.workflow('return { doubled: ctx.input.n * 2, ...ctx.params, by: ctx.run.trigger };');
    const run = await company.execute(id, {
      input: { n: 4 },
      params: { p: 1 },
      metadata: { team: 'a' },
      session_id: 's1',
    });
    expect(run).toMatchObject({
      workflow_id: id,
      workflow_version: null,
      release: null,
      session_id: 's1',
      status: 'COMPLETED',
      trigger: 'API',
      mode: 'sync',
      input: { n: 4 },
      messages: null,
      params: { p: 1 },
      output: { doubled: 8, p: 1, by: 'API' },
      transformed_session: null,
      failure_class: null,
      error_code: null,
      logs: [],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: null },
      attempts: 1,
      parent_run_id: null,
      metadata: { team: 'a' },
      first_message: '{"n": 4}',
    });
    expect(await company.get(run.id ?? '')).toEqual(run);
    const stored = 'SELECT first_message FROM workflows.runs WHERE id = $1';
    expect((await world.platform.sql.query(stored, [run.id])).rows).toEqual([{ first_message: '{"n": 4}' }]);
  });

  it('that is async replies with the id of a queued run', async () => {
    const id = await company.workflow('return null;', { execution_mode: 'async' });
    const accepted = await company.execute(id);
    expect(accepted).toEqual({ run_id: expect.any(String), status: 'QUEUED' });
    expect(await company.ended(accepted.run_id ?? '')).toMatchObject({
      status: 'COMPLETED',
      output: null,
      mode: 'async',
    });
  });

  it('starts in the transaction that accepts it when its process has a free slot', async () => {
    const id = await company.workflow('const end = Date.now() + 2000; while (Date.now() < end);', {
      execution_mode: 'async',
    });
    // A process that claims other work at this moment starts the run later.
    const accepted = await Promise.all([1, 2, 3, 4].map(() => company.execute(id)));
    const { rows } = await world.platform.sql.query<{ status: string; attempts: number }>(
      `SELECT r.status, r.attempts FROM workflows.runs r JOIN workflows.work w ON w.ref = r.id::text AND w.xmin = r.xmin
       WHERE r.id = ANY ($1::uuid[]) AND r.status = 'RUNNING'`,
      [accepted.map(({ run_id }) => run_id)],
    );
    expect(rows).toContainEqual({ status: 'RUNNING', attempts: 1 });
    for (const { run_id } of accepted) {
      const run = await company.ended(run_id ?? '');
      expect(run).toMatchObject({ status: 'COMPLETED', attempts: 1 });
      const types = (await company.timeline(run_id ?? '')).map(({ type }) => type);
      expect(types).toEqual(['run_start', 'run_end']);
    }
    const { rows: events } = await world.platform.sql.query<{ event: string; status: string }>(
      `SELECT payload::jsonb->>'event' AS event, payload::jsonb->'data'->>'status' AS status FROM workflows.outbox
       WHERE payload::jsonb->'resource'->>'id' = $1 ORDER BY id`,
      [accepted[0]?.run_id],
    );
    expect(events).toEqual([
      { event: 'workflow_run.queued', status: 'QUEUED' },
      { event: 'workflow_run.started', status: 'RUNNING' },
      { event: 'workflow_run.completed', status: 'COMPLETED' },
    ]);
  });

  it('runs the draft, a version or a release', async () => {
    const script = (n: number) => `async function execute() {\n  return ${n};\n}\n`;
    const { id } = await company.world.workflow({ script: script(1) });
    await company.world.publish(id);
    await company.world.release(id, 'stable', '1.0.0');
    await company.world.change(id, { script: script(2) });
    expect(await company.execute(id)).toMatchObject({ output: 2, workflow_version: null });
    expect(await company.execute(id, { version: '1.0.0' })).toMatchObject({ output: 1, workflow_version: '1.0.0' });
    expect(await company.execute(id, { release: 'stable' })).toMatchObject({
      output: 1,
      workflow_version: '1.0.0',
      release: 'stable',
    });
    await expect(company.execute(id, { version: '2.0.0' })).rejects.toMatchObject({ message: 'version not found' });
  });

  it('needs an enabled workflow and an input that fits the schema', async () => {
    const input_schema = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } };
    const id = await company.workflow('return ctx.input;', { input_schema });
    await expect(company.execute(id, { input: { n: 'x' } })).rejects.toMatchObject({
      status: 400,
      extras: { details: [{ field: 'input', message: expect.stringContaining('input_schema') }] },
    });
    await expect(company.execute(id)).rejects.toMatchObject({ status: 400 });
    expect(await company.execute(id, { messages: [{ role: 'user', content: 'hi' }] })).toMatchObject({
      output: null,
      first_message: 'hi',
    });
    const disable = workflows.endpoints.disableWorkflow;
    await company.world.platform.bus.call(disable, { workflow_id: id }, company.world.caller());
    await expect(company.execute(id, { input: { n: 1 } })).rejects.toMatchObject({
      status: 409,
      message: `workflow ${id} is DISABLED`,
    });
    await expect(company.execute(2_000_000_000)).rejects.toMatchObject({ status: 404, message: 'workflow not found' });
  });

  it('that is repeated under one key starts one run', async () => {
    const id = await company.workflow('return ctx.run.id;');
    const claim = { key: 'once', route: 'POST /x', bodyHash: 'h' };
    const call = () => company.execute(id, {}, company.world.caller({ idempotency: { ...claim } }));
    const first = await call();
    expect(await call()).toEqual(first);
    const { data } = await company.world.platform.bus.call(
      api.listRuns,
      { workflow_id: id, ...PAGE },
      company.world.caller(),
    );
    expect(data).toHaveLength(1);
  });
});

describe('a run that is cancelled', () => {
  it('ends at once, and its script with it', async () => {
    const id = await company.workflow('ctx.log("info", "began"); for (;;) {}');
    const { run_id = '' } = await company.execute(id, { mode: 'async' });
    await eventually('the script runs', async () => (await company.get(run_id)).logs.length === 1);
    const cancel = () => company.world.platform.bus.call(api.cancelRun, { run_id }, company.world.caller());
    expect(await cancel()).toMatchObject({ id: run_id, status: 'CANCELLED' });
    await expect(cancel()).rejects.toMatchObject({ status: 409 });
    expect((await company.stream(run_id)).events.at(-1)).toMatchObject({ type: 'run.cancelled' });
  });
});

describe('a run that is run again', () => {
  it('has the input, the version and the session of the first one', async () => {
    const { id } = await company.world.workflow();
    await company.world.publish(id);
    const first = await company.run(id, { input: { n: 1 }, version: '1.0.0', session_id: 's', metadata: { a: 1 } });
    const again = await company.world.platform.bus.call(
      api.rerunRun,
      { run_id: first.id, secrets: {} },
      company.world.caller(),
    );
    expect(again).toEqual({ run_id: expect.any(String), status: 'QUEUED' });
    expect(await company.ended(again.run_id)).toMatchObject({
      input: { n: 1 },
      output: { n: 1 },
      workflow_version: '1.0.0',
      session_id: 's',
      metadata: { a: 1 },
    });
  });

  it('has the messages of the first one beside its input', async () => {
    const id = await company.workflow('return [ctx.input, ctx.messages.map(({ content }) => content)];');
    const messages = [{ role: 'user' as const, content: 'hi' }];
    const rerun = async (change: object) => {
      const { id: run_id } = await company.run(id, change);
      const again = await company.world.platform.bus.call(
        api.rerunRun,
        { run_id, secrets: {} },
        company.world.caller(),
      );
      return (await company.ended(again.run_id)).output;
    };
    expect(await rerun({ input: { n: 1 }, messages })).toEqual([{ n: 1 }, ['hi']]);
    expect(await rerun({ messages })).toEqual([null, ['hi']]);
  });

  it('needs the secrets that the first one had', async () => {
    const first = await company.runBody('return ctx.secrets.get("KEY") !== null;', {
      secrets: { KEY: 'value-0123456' },
    });
    expect(first.output).toBe(true);
    const rerun = (secrets: Record<string, string>) =>
      company.world.platform.bus.call(api.rerunRun, { run_id: first.id, secrets }, company.world.caller());
    await expect(rerun({})).rejects.toMatchObject({
      status: 400,
      message: 'missing secrets: KEY',
      extras: { details: [{ field: 'secrets.KEY' }] },
    });
    const { run_id } = await rerun({ KEY: 'value-0123456' });
    expect(await company.ended(run_id)).toMatchObject({ output: true });
  });
});
