import { eventually } from '@signalbox/testing';
import { type RunCompany, RunWorld } from './run-world.js';

let world: RunWorld;
let company: RunCompany;
beforeAll(async () => {
  world = await RunWorld.apart();
}, 120_000);
afterAll(() => world?.stop());
beforeEach(async () => {
  company = await world.company();
  world.target.calls.length = 0;
});

/** Holds the calls of a path until it is released. */
function gate(path: string): { release: () => void } {
  let open = false;
  world.target.answerWith(async (call) => {
    if (call.path.startsWith(path)) await eventually('the gate opens', () => open, 120_000);
    return { body: '{}' };
  });
  return { release: () => void (open = true) };
}

const calls = (path: string) => world.target.calls.filter((call) => call.path === path).length;

describe('a run whose worker is killed', () => {
  it('starts again and finds its steps, its nested runs and its earlier log', async () => {
    const { url } = world.target;
    await company.workflow(`await ctx.http.fetch('${url}/child'); return ctx.input;`, { workflow_ref_name: 'child' });
    const body = `ctx.log('info', 'began');
      const kept = await ctx.step('once', async () => { await ctx.http.fetch('${url}/step'); return { n: 7 }; });
      const nested = await ctx.workflows.execute('child', { of: 1 });
      await ctx.http.fetch('${url}/gate');
      return { kept, nested };`;
    const nesting = { allow_inproc_nesting: true, inproc_nested_refs: ['child'], timeout_seconds: 300 };
    const id = await company.workflow(body, nesting);
    const held = gate('/gate');
    const accepted = await company.execute(id, { mode: 'async' });
    const runId = accepted.run_id ?? '';
    await eventually('the script waits at the gate', () => calls('/gate') === 1);
    await world.platform.service('workflows').kill('SIGKILL');
    held.release();
    await world.platform.service('workflows').start();
    const run = await eventually(
      'the run ends',
      async () => {
        const found = await company.get(runId).catch(() => undefined);
        return found?.completed_at ? found : undefined;
      },
      120_000,
    );
    expect(run).toMatchObject({ status: 'COMPLETED', output: { kept: { n: 7 }, nested: { of: 1 } }, attempts: 2 });
    expect([calls('/step'), calls('/child'), calls('/gate')]).toEqual([1, 1, 2]);
    const { rows } = await world.platform.sql.query('SELECT status FROM workflows.runs WHERE parent_run_id = $1', [
      runId,
    ]);
    expect(rows).toEqual([{ status: 'COMPLETED' }]);
    const types = (await company.timeline(runId)).map(({ type, status }) =>
      type === 'step' ? `step ${status}` : type,
    );
    expect(types).toEqual(expect.arrayContaining(['run_restart', 'step SUCCESS', 'step KEPT']));
    expect(run.logs.map(({ message }) => message)).toEqual(['began', 'began']);
  }, 240_000);

  it('with secrets fails, because they were in the memory of that process only', async () => {
    const held = gate('/gate');
    const id = await company.workflow(`await ctx.http.fetch('${world.target.url}/gate'); return 1;`, {
      timeout_seconds: 300,
    });
    const accepted = await company.execute(id, { mode: 'async', secrets: { KEY: 'value-0123456789' } });
    await eventually('the script waits at the gate', () => calls('/gate') === 1);
    await world.platform.service('workflows').kill('SIGKILL');
    held.release();
    await world.platform.service('workflows').start();
    const run = await eventually(
      'the run ends',
      async () => {
        const found = await company.get(accepted.run_id ?? '').catch(() => undefined);
        return found?.completed_at ? found : undefined;
      },
      120_000,
    );
    expect(run).toMatchObject({ status: 'FAILED', failure_class: 'internal', error_code: 'secrets_unavailable' });
  }, 240_000);
});

describe('a run whose runner is killed', () => {
  it('is executed again', async () => {
    const held = gate('/gate');
    const id = await company.workflow(`await ctx.http.fetch('${world.target.url}/gate'); return 'done';`, {
      timeout_seconds: 300,
    });
    const accepted = await company.execute(id, { mode: 'async' });
    await eventually('the script waits at the gate', () => calls('/gate') === 1);
    await world.platform.service('runner').kill('SIGKILL');
    held.release();
    await world.platform.service('runner').start();
    expect(await company.ended(accepted.run_id ?? '')).toMatchObject({ status: 'COMPLETED', output: 'done' });
  }, 240_000);
});

describe('a run that needs a service that is away', () => {
  it('starts again until the service is back, and its script sees no failure', async () => {
    const body = `try { return (await ctx.http.fetch('${world.target.url}/page')).status; } catch (error) { return error.name; }`;
    const id = await company.workflow(body);
    // What the company may call is read from the accounts service.
    await world.platform.service('accounts').kill('SIGKILL');
    const { run_id: runId = '' } = await company.execute(id, { mode: 'async' });
    await eventually('the script has started again', async () => {
      const { rows } = await world.platform.sql.query('SELECT 1 FROM workflows.runs WHERE id = $1 AND attempts > 1', [
        runId,
      ]);
      return rows.length > 0;
    });
    await world.platform.service('accounts').start();
    expect(await company.ended(runId)).toMatchObject({ status: 'COMPLETED', output: 200 });
    expect(calls('/page')).toBe(1);
  }, 120_000);
});
