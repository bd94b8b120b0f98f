import { workflowRuns, workflows } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { type RunCompany, RunWorld } from './run-world.js';
import { PAGE } from './world.js';

const api = workflowRuns.endpoints;
let world: RunWorld;
let company: RunCompany;
beforeAll(async () => {
  world = await RunWorld.start();
}, 120_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  company = await world.company();
});

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

describe('a run that fails', () => {
  it.each([
    ['that throws', 'throw new TypeError("no");', 'sandbox', 'script_error', /^line 2: .*no/],
    ['whose output does not fit', 'return 7;', 'quality', 'output_schema', /^the output does not fit output_schema/],
  ])('%s keeps its class and message', async (_, body, failure_class, error_code, message) => {
    const run = await company.runBody(body, {}, { output_schema: { type: 'string' } });
    expect(run).toMatchObject({ status: 'FAILED', output: null, failure_class, error_code });
    expect(run.error_message).toMatch(message);
    expect((await company.timeline(run.id)).map(({ type }) => type)).toEqual(['run_start', 'error', 'run_end']);
  });

  it('replies 200 to a sync execution', async () => {
    const id = await company.workflow('throw new Error("x");');
    expect(await company.execute(id)).toMatchObject({ status: 'FAILED' });
  });

  it('at its time limit is TIMED_OUT', async () => {
    const run = await company.runBody('for (;;) {}', {}, { timeout_seconds: 1 });
    expect(run).toMatchObject({ status: 'TIMED_OUT', failure_class: 'timeout', error_code: 'timeout' });
  });

  it('at its memory limit has the class of the sandbox', async () => {
    const bomb = 'const all = []; for (;;) all.push(new Array(100000).fill(7));';
    const run = await company.runBody(bomb, {}, { memory_mb: 16 });
    expect(run).toMatchObject({ status: 'FAILED', failure_class: 'sandbox' });
  });
});

describe('a run that loses the database', () => {
  /** Every first of two such writes for the company loses its connection to the database. */
  async function loseWrites(write: string, condition: string): Promise<void> {
    await world.platform.sql.query(`
      CREATE SEQUENCE workflows.writes;
      CREATE FUNCTION workflows.lose_write() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
        IF nextval('workflows.writes') % 2 = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER lose_write BEFORE ${write} FOR EACH ROW
        WHEN (NEW.company_id = ${company.world.companyId} AND ${condition}) EXECUTE FUNCTION workflows.lose_write()`);
  }
  afterEach(() =>
    world.platform.sql.query(
      'DROP FUNCTION IF EXISTS workflows.lose_write CASCADE; DROP SEQUENCE IF EXISTS workflows.writes',
    ),
  );

  it('is not executed again when that is before its end is stored, nor is one nested in it', async () => {
    const { url } = world.target;
    const child = `await ctx.http.fetch('${url}/ends/child'); return 7;`;
    await company.workflow(child, { workflow_ref_name: 'child', output_schema: { type: 'integer' } });
    const parent = `await ctx.http.fetch('${url}/ends/parent'); return ctx.workflows.execute('child', 1);`;
    const id = await company.workflow(parent, { allow_inproc_nesting: true, inproc_nested_refs: ['child'] });
    await loseWrites('UPDATE ON workflows.runs', `NEW.status = 'COMPLETED' AND OLD.status = 'RUNNING'`);
    const run = await company.run(id);
    expect(run).toMatchObject({ status: 'COMPLETED', output: 7, attempts: 1 });
    const { rows } = await world.platform.sql.query('SELECT last_value::int AS tries FROM workflows.writes');
    expect(rows).toEqual([{ tries: 4 }]);
    const calls = world.target.calls.map(({ path }) => path).filter((path) => path.startsWith('/ends/'));
    expect(calls).toEqual(['/ends/parent', '/ends/child']);
  }, 60_000);

  it('is not executed again when that is while it writes its timeline or keeps a step, and is paid once', async () => {
    await company.model();
    world.provider.calls.length = 0;
    const ask = `ctx.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'hello' }] })`;
    const id = await company.workflow(`await ${ask}; return ctx.step('asked', async () => (await ${ask}).model);`);
    await loseWrites('INSERT ON workflows.run_timeline', `NEW.type IN ('model_answered', 'step')`);
    const run = await company.run(id);
    expect(run).toMatchObject({ status: 'COMPLETED', output: 'm', attempts: 1 });
    expect(world.provider.calls).toHaveLength(2);
    const answered = (await company.timeline(run.id)).filter(({ type }) => type === 'model_answered');
    const paid = answered.reduce((sum, { usage }) => sum + (usage as { cost: number }).cost, 0);
    expect([answered.length, run.usage.cost]).toEqual([2, expect.closeTo(paid, 9)]);
  }, 60_000);

  it('is not executed again when that is while it stores a file', async () => {
    const { url } = world.target;
    const put = `await ctx.http.fetch('${url}/file'); return (await ctx.artifacts.put('a.txt', 'text')).key;`;
    const id = await company.workflow(put);
    await loseWrites('INSERT ON workflows.artifacts', 'true');
    expect(await company.run(id)).toMatchObject({ status: 'COMPLETED', output: 'a.txt', attempts: 1 });
    expect(world.target.calls.filter(({ path }) => path === '/file')).toHaveLength(1);
  }, 60_000);
});

describe('what a run shows', () => {
  it('is its logs, in order, with their levels', async () => {
    const run = await company.runBody(`ctx.log('info', 'one'); ctx.log('warn', { two: 2 }); return 1;`);
    expect(run.logs.map(({ level, message }) => [level, message])).toEqual([
      ['info', 'one'],
      ['warn', '{"two":2}'],
    ]);
    const read = (query: object) =>
      company.world.platform.bus.call(api.listRunLogs, { run_id: run.id, ...PAGE, ...query }, company.world.caller());
    expect(await read({})).toEqual({ data: run.logs, pagination: { total: 2, offset: 0, limit: 25 } });
    expect((await read({ offset: 1 })).data).toEqual(run.logs.slice(1));
    expect((await read({ sort: '-date_created', limit: 1 })).data).toEqual(run.logs.slice(1));
    expect((await read({ search: 'ONE' })).data).toEqual(run.logs.slice(0, 1));
    await expect(read({ run_id: '00000000-0000-4000-8000-000000000000' })).rejects.toMatchObject({ status: 404 });
  });

  it('is a stream of events that can be read from any point', async () => {
    const id = await company.workflow(`ctx.log('info', 'hello'); ctx.emit({ part: 1 }); return 'done';`, {
      execution_mode: 'stream',
    });
    const accepted = await company.execute(id);
    expect(accepted).toEqual({ run_id: expect.any(String), status: 'QUEUED', streams: true });
    const runId = accepted.run_id ?? '';
    await company.ended(runId);
    const { events, ended } = await company.stream(runId);
    expect(ended).toBe(true);
    expect(events.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'run.started'],
      [2, 'run.log'],
      [3, 'run.event'],
      [4, 'run.completed'],
    ]);
    expect(events.map(({ data }) => data)).toMatchObject([
      { workflow_id: id, run_id: runId },
      { level: 'info', message: 'hello' },
      { event: { part: 1 } },
      { output: 'done' },
    ]);
    expect((await company.stream(runId, 3)).events.map(({ seq }) => seq)).toEqual([4]);
    await expect(company.stream(runId, 9)).rejects.toMatchObject({ status: 400 });
  });

  it('has no emitted events outside of stream mode', async () => {
    const run = await company.runBody('ctx.emit(1); return 1;');
    expect((await company.stream(run.id)).events.map(({ type }) => type)).toEqual(['run.started', 'run.completed']);
  });

  it('is in its log, once, that more was emitted than is sent', async () => {
    const id = await company.workflow(
      `const event = 'x'.repeat(65_000); for (let n = 0; n < 140; n++) ctx.emit(event);`,
      {
        execution_mode: 'stream',
      },
    );
    const { run_id = '' } = await company.execute(id);
    const { status, logs } = await company.ended(run_id);
    expect([status, logs.map(({ level, message }) => [level, message])]).toEqual([
      'COMPLETED',
      [['warn', 'further events are not sent: a run may emit 8 MiB of them']],
    ]);
  });

  it('is emitted as lifecycle events', async () => {
    const run = await company.runBody('return 1;');
    const { rows } = await world.platform.sql.query<{ event: string; data: Record<string, unknown> }>(
      `SELECT payload::jsonb->>'event' AS event, payload::jsonb->'data' AS data FROM workflows.outbox
       WHERE subject LIKE 'events.%' AND payload::jsonb->'resource'->>'id' = $1 ORDER BY id`,
      [run.id],
    );
    expect(rows.map(({ event }) => event)).toEqual([
      'workflow_run.queued',
      'workflow_run.started',
      'workflow_run.completed',
    ]);
    expect(rows[2]?.data).toMatchObject({ id: run.id, status: 'COMPLETED', duration_ms: run.duration_ms });
    expect(rows[2]?.data).not.toHaveProperty('output');
  });
});

describe('lists of runs', () => {
  it('have no bodies unless asked, and are filtered', async () => {
    const id = await company.workflow('if (ctx.input === "bad") throw new Error("x"); return ctx.input;');
    const good = await company.run(id, { input: 'good', session_id: 'one' });
    const bad = await company.run(id, { input: 'bad', session_id: 'two' });
    const other = await company.runBody('return 1;');
    const ids = async (filter: object) => {
      const { data } = await company.world.platform.bus.call(
        api.listAllRuns,
        { ...PAGE, ...filter },
        company.world.caller(),
      );
      for (const run of data) expect(run).not.toHaveProperty('output');
      return data.map((run) => run.id);
    };
    expect(await ids({})).toEqual([other.id, bad.id, good.id]);
    expect(await ids({ workflow_id: id, sort: 'date_created' })).toEqual([good.id, bad.id]);
    expect(await ids({ status: ['FAILED'] })).toEqual([bad.id]);
    expect(await ids({ failure_class: ['sandbox'], error_code: ['script_error'] })).toEqual([bad.id]);
    expect(await ids({ session_id: 'one' })).toEqual([good.id]);
    expect(await ids({ text: 'goo' })).toEqual([good.id]);
    expect(await ids({ trigger: ['CHAT'] })).toEqual([]);
    expect(await ids({ version: 'latest' })).toEqual([]);
    const search = { workflow_id: id, ...PAGE, include_body: true };
    const { data } = await company.world.platform.bus.call(api.searchRuns, search, company.world.caller());
    expect(data).toMatchObject([{ input: 'bad' }, { input: 'good', output: 'good' }]);
    const elsewhere = await world.company();
    await expect(elsewhere.get(good.id)).rejects.toMatchObject({ status: 404, message: 'run not found' });
  });
});

it('a page of runs whose bodies are larger than a reply is refused, and its runs are read one by one', async () => {
  const { world } = company;
  const workflow_id = await company.workflow('return null;');
  const input = 'x'.repeat(7_000_000);
  for (let n = 0; n < 2; n += 1) await company.execute(workflow_id, { input });
  const page = (query: object) =>
    world.platform.bus.call(api.searchRuns, { workflow_id, ...PAGE, include_body: true, ...query }, world.caller());
  await expect(page({})).rejects.toMatchObject({
    status: 400,
    message: 'limit must be smaller: the bodies of the page have more than 12582912 bytes',
  });
  expect((await page({ limit: 1 })).data).toMatchObject([{ input }]);
  expect(await page({ offset: 2 })).toMatchObject({ data: [], pagination: { total: 2 } });
  expect((await page({ include_body: false })).data).toHaveLength(2);
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
