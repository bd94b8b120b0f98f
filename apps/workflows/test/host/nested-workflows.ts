import { workflowRuns } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { PAGE } from '../world.js';
import { ASK, company, world } from './fixture.js';

describe('ctx.workflows.execute', () => {
  it('runs an allowed child as a nested run with its own row, and returns its output', async () => {
    await company.model();
    const child = await company.workflow(`${ASK} return [ctx.input.n + 1, ctx.run.trigger];`, {
      workflow_ref_name: 'child',
    });
    const nesting = { allow_inproc_nesting: true, inproc_nested_refs: ['child'] };
    const body = `return Promise.all([1, 2].map((n) => ctx.workflows.execute('child', { n })));`;
    const run = await company.runBody(body, { session_id: 's', metadata: { team: 'a' } }, nesting);
    expect(run.output).toEqual([
      [2, 'NESTED'],
      [3, 'NESTED'],
    ]);
    const input = { ...PAGE, workflow_id: child };
    const { data } = await world.platform.bus.call(workflowRuns.endpoints.listAllRuns, input, company.world.caller());
    expect(data).toHaveLength(2);
    for (const nested of data)
      expect(nested).toMatchObject({
        parent_run_id: run.id,
        trigger: 'NESTED',
        status: 'COMPLETED',
        session_id: 's',
        metadata: { team: 'a' },
      });
    expect(run.usage.total_tokens).toBe(data.reduce((sum, { usage }) => sum + usage.total_tokens, 0));
    expect(run.usage.total_tokens).toBeGreaterThan(0);
    const events = (await company.stream(run.id)).events.filter(({ type }) => type === 'run.child');
    expect(events.map(({ data: { status, ref } }) => [ref, status]).sort()).toEqual([
      ['child', 'COMPLETED'],
      ['child', 'COMPLETED'],
      ['child', 'QUEUED'],
      ['child', 'QUEUED'],
    ]);
    expect(events.map(({ data }) => data.child_workflow_id)).toEqual(Array(4).fill(child));
    const merged = await company.timeline(run.id, true);
    expect(new Set(merged.map(({ run_id }) => run_id)).size).toBe(3);
    expect(merged.filter(({ parent_run_id }) => parent_run_id === run.id).length).toBeGreaterThan(0);
  });

  it('needs the permission and an entry of the list', async () => {
    await company.workflow('return 1;', { workflow_ref_name: 'child' });
    const body = `try { return await ctx.workflows.execute('child', null); } catch ({ name, message }) { return { name, message }; }`;
    const nesting = { inproc_nested_refs: ['child'] };
    expect((await company.runBody(body, {}, nesting)).output).toMatchObject({ name: 'NotAllowedError' });
    expect((await company.runBody(body, {}, { allow_inproc_nesting: true })).output).toMatchObject({
      name: 'NotAllowedError',
    });
    expect((await company.runBody(body, {}, { ...nesting, allow_inproc_nesting: true })).output).toBe(1);
  });

  it('finds a process however many parents wait for theirs, and other companies do not wait for them', async () => {
    await company.workflow('return ctx.input;', { workflow_ref_name: 'leaf' });
    const nesting = { allow_inproc_nesting: true, inproc_nested_refs: ['leaf'] };
    const gate = `await ctx.http.fetch('${world.target.url}/together');`;
    const id = await company.workflow(`${gate} return ctx.workflows.execute('leaf', ctx.input);`, nesting);
    const neighbour = await world.company();
    const other = await neighbour.workflow('return "at once";');
    const parents = 32;
    // Eight is what the runner executes at once for one company: from there on no parent starts before another ends.
    const atOnce = 8;
    let arrived = 0;
    let others: unknown;
    world.target.answerWith(async () => {
      if (++arrived === atOnce) others = (await neighbour.run(other)).output;
      await eventually('the run of the other company has ended', () => others, 60_000);
      return { body: '{}' };
    });
    const runs = await Promise.all(Array.from({ length: parents }, (_, input) => company.run(id, { input })));
    expect(runs.map(({ output }) => output)).toEqual(Array.from({ length: parents }, (_, at) => at));
    expect(others).toBe('at once');
    // A nested run that waited for the slot of a parent would be refused after a minute.
    expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'COMPLETED'));
  }, 120_000);

  it('is at most ten deep', async () => {
    const body = `return ctx.input >= 11 ? 'deep' : ctx.workflows.execute('self', (ctx.input ?? 0) + 1);`;
    const id = await company.workflow(body, { workflow_ref_name: 'self' });
    await company.world.change(id, { allow_inproc_nesting: true, inproc_nested_refs: ['self'] });
    const run = await company.run(id, { input: 0 });
    expect(run).toMatchObject({ status: 'FAILED', failure_class: 'quality', error_code: 'depth_exceeded' });
    expect(run.error_message).toContain('nested at most 10 deep');
    expect((await company.run(id, { input: 1 })).output).toBe('deep');
  }, 60_000);

  it('that fails is an exception with the state of the nested run', async () => {
    await company.workflow('throw new Error("inner");', { workflow_ref_name: 'child' });
    const nesting = { allow_inproc_nesting: true, inproc_nested_refs: ['child'] };
    const caught = `try { await ctx.workflows.execute('child', 1); } catch ({ name, message }) { return { name, message }; }`;
    expect((await company.runBody(caught, {}, nesting)).output).toEqual({
      name: 'ChildFailedError',
      message: expect.stringMatching(/^run .* of child is FAILED: .*inner/),
    });
    expect(await company.runBody(`await ctx.workflows.execute('child', 1);`, {}, nesting)).toMatchObject({
      status: 'FAILED',
      failure_class: 'sandbox',
      error_code: 'script_error',
    });
    await company.workflow('return "text";', { workflow_ref_name: 'misfit', output_schema: { type: 'number' } });
    const other = { allow_inproc_nesting: true, inproc_nested_refs: ['misfit'] };
    expect(await company.runBody(`await ctx.workflows.execute('misfit', 1);`, {}, other)).toMatchObject({
      status: 'FAILED',
      failure_class: 'quality',
      error_code: 'output_schema',
    });
  });

  it('counts into the usage of all above it that are cancelled', async () => {
    await company.model();
    const above = (ref: string) => ({ allow_inproc_nesting: true, inproc_nested_refs: [ref] });
    world.target.answerWith(() => ({ hang: true }));
    const held = `await ctx.http.fetch('${world.target.url}/held', { timeout_ms: 60000 });`;
    await company.workflow(`${ASK} ${held}`, { workflow_ref_name: 'leaf', timeout_seconds: 60 });
    const middle = { workflow_ref_name: 'middle', ...above('leaf') };
    await company.workflow(`return ctx.workflows.execute('leaf', 1);`, middle);
    const id = await company.workflow(`return ctx.workflows.execute('middle', 1);`, above('middle'));
    const { run_id = '' } = await company.execute(id, { mode: 'async' });
    const usages = async () => {
      const { rows } = await world.platform.sql.query<{ tokens: number }>(
        'SELECT total_tokens::int AS tokens FROM workflows.runs WHERE company_id = $1 ORDER BY depth DESC',
        [company.world.companyId],
      );
      return rows.map(({ tokens }) => tokens);
    };
    await eventually('the model has answered', async () => ((await usages())[0] ?? 0) > 0);
    const cancelled = await world.platform.bus.call(
      workflowRuns.endpoints.cancelRun,
      { run_id },
      company.world.caller(),
    );
    const tokens = cancelled.usage.total_tokens;
    expect(tokens).toBeGreaterThan(0);
    expect(await usages()).toEqual([tokens, tokens, tokens]);
  }, 60_000);

  it('has the time of the attempt that executes it, not what a lost one had left', async () => {
    let isOpen = false;
    world.target.answerWith(async () => {
      await eventually('the gate opens', () => isOpen, 60_000);
      return {};
    });
    const child = `await ctx.http.fetch('${world.target.url}/time', { timeout_ms: 60000 }); return 'in time';`;
    await company.workflow(child, { workflow_ref_name: 'child' });
    const nesting = { allow_inproc_nesting: true, inproc_nested_refs: ['child'] };
    const id = await company.workflow(`return ctx.workflows.execute('child', 1);`, nesting);
    const { run_id = '' } = await company.execute(id, { mode: 'async' });
    const { sql } = world.platform;
    // As a lost worker leaves it, when its attempt would have been over by now.
    await eventually('the child runs', async () => {
      const over = `UPDATE workflows.runs SET ends_by = 1 WHERE parent_run_id = $1 AND status = 'RUNNING'`;
      return (await sql.query(over, [run_id])).rowCount === 1;
    });
    await sql.query('UPDATE workflows.work SET due_at = now(), lease_owner = NULL WHERE ref = $1', [run_id]);
    const restarted = async () => (await company.timeline(run_id)).some(({ type }) => type === 'run_restart');
    await eventually('the parent starts again', restarted);
    isOpen = true;
    expect(await company.ended(run_id)).toMatchObject({ status: 'COMPLETED', output: 'in time' });
    const { rows } = await sql.query('SELECT status FROM workflows.runs WHERE parent_run_id = $1', [run_id]);
    expect(rows).toEqual([{ status: 'COMPLETED' }]);
  }, 120_000);

  it('is cancelled with its parent, and when its parent ends before it', async () => {
    await company.workflow('ctx.log("info", "began"); for (;;) {}', {
      workflow_ref_name: 'child',
      timeout_seconds: 60,
    });
    const nesting = { allow_inproc_nesting: true, inproc_nested_refs: ['child'] };
    const childOf = async (parent: string) => {
      const { rows } = await world.platform.sql.query<{ id: string; status: string }>(
        'SELECT id, status FROM workflows.runs WHERE parent_run_id = $1',
        [parent],
      );
      return rows[0];
    };
    const id = await company.workflow(`return ctx.workflows.execute('child', 1);`, nesting);
    const { run_id = '' } = await company.execute(id, { mode: 'async' });
    await eventually('the child runs', async () => (await childOf(run_id))?.status === 'RUNNING');
    await world.platform.bus.call(workflowRuns.endpoints.cancelRun, { run_id }, company.world.caller());
    expect((await childOf(run_id))?.status).toBe('CANCELLED');

    const leaving = await company.runBody(
      `ctx.workflows.execute('child', 1).catch(() => {}); await ctx.http.fetch('${world.target.url}/x'); return 'left';`,
      {},
      nesting,
    );
    expect(leaving).toMatchObject({ status: 'COMPLETED', output: 'left' });
    expect((await childOf(leaving.id))?.status).toBe('CANCELLED');
  }, 60_000);
});
