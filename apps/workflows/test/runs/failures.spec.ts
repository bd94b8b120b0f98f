import { company, world } from './fixture.js';

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
