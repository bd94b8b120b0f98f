import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { transformPreviews, type WorkflowRun } from '@signalbox/contracts';
import { eventually, NetworkLink, serviceEnv } from '@signalbox/testing';
import { type RunCompany, RunWorld } from '../run-world.js';

/** A run whose worker was killed waits for the end of its lease. */
const ENDED_MS = 120_000;
/** After which one look-up of the profile of a company has failed; the call that needs it waits for thirty seconds more. */
const LOOKUP_MS = 15_000;

let world: RunWorld;
let company: RunCompany;
/** The ways of services to the bus, which they use until the end. */
const links: NetworkLink[] = [];
beforeAll(async () => {
  world = await RunWorld.apart({ SHUTDOWN_GRACE_SECONDS: '1' });
}, 120_000);
afterAll(async () => {
  await world?.stop();
  await Promise.all(links.map((link) => link.close()));
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
  /** Two runs of one worker: its lease is waited for once. */
  let runId: string;
  let run: WorkflowRun;
  let withSecrets: WorkflowRun;
  beforeAll(async () => {
    company = await world.company();
    const { url } = world.target;
    await company.workflow(`await ctx.http.fetch('${url}/child'); return ctx.input;`, { workflow_ref_name: 'child' });
    const body = `ctx.log('info', 'began');
      const kept = await ctx.step('once', async () => { await ctx.http.fetch('${url}/step'); return { n: 7 }; });
      const nested = await ctx.workflows.execute('child', { of: 1 });
      await ctx.http.fetch('${url}/gate');
      return { kept, nested };`;
    const nesting = { allow_inproc_nesting: true, inproc_nested_refs: ['child'], timeout_seconds: 300 };
    const first = await company.workflow(body, nesting);
    const second = await company.workflow(`await ctx.http.fetch('${url}/gate/secrets'); return 1;`, {
      timeout_seconds: 300,
    });
    const held = gate('/gate');
    ({ run_id: runId = '' } = await company.execute(first, { mode: 'async' }));
    const accepted = await company.execute(second, { mode: 'async', secrets: { KEY: 'value-0123456789' } });
    await eventually('both scripts wait at the gate', () => calls('/gate') + calls('/gate/secrets') === 2);
    await world.platform.service('workflows').kill('SIGKILL');
    held.release();
    await world.platform.service('workflows').start();
    const ids = [runId, accepted.run_id ?? ''];
    [run, withSecrets] = (await Promise.all(ids.map((id) => company.ended(id, ENDED_MS)))) as [
      WorkflowRun,
      WorkflowRun,
    ];
  }, 240_000);

  it('starts again and finds its steps, its nested runs and its earlier log', async () => {
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
  });

  it('with secrets fails, because they were in the memory of that process only', () =>
    expect(withSecrets).toMatchObject({
      status: 'FAILED',
      failure_class: 'internal',
      error_code: 'secrets_unavailable',
    }));
});

describe('a run whose script loses its runner, or the connection to it', () => {
  const CUT_MS = 5000;

  /** Starts a service whose connection to the bus can be cut. */
  async function linked(service: string): Promise<NetworkLink> {
    const { servers } = world.platform;
    const link = await NetworkLink.to(serviceEnv(servers, service).NATS_URL ?? '');
    links.push(link);
    await world.platform.restartService(service, { NATS_URL: link.url });
    return link;
  }

  it('continues from its kept steps and its nested runs, more often than it may fail', async () => {
    const [toRunner, toWorkflows] = [await linked('runner'), await linked('workflows')];
    const restart = async (signal: NodeJS.Signals): Promise<void> => {
      await world.platform.service('runner').kill(signal);
      await world.platform.service('runner').start();
    };
    const cut = async (link: NetworkLink): Promise<void> => {
      link.cut();
      await sleep(CUT_MS);
      link.restore();
    };
    // A worker gives up a run after five attempts.
    const faults: [name: string, happen: () => Promise<void>][] = [
      ['the runner is killed', () => restart('SIGKILL')],
      ['the connection of the runner is cut', () => cut(toRunner)],
      ['both connections are cut', () => Promise.all([cut(toRunner), cut(toWorkflows)]).then(() => undefined)],
      ['the runner is killed again', () => restart('SIGKILL')],
      // One more loss that its script may have caused would end it.
      [
        'the runner stops',
        async () => {
          await world.platform.sql.query('UPDATE workflows.runs SET lost_executions = 19 WHERE id = $1', [runId]);
          await restart('SIGTERM');
        },
      ],
      ['the connection of the workflows service is cut', () => cut(toWorkflows)],
    ];
    company = await world.company();
    const { url } = world.target;
    const held = gate('/runner');
    await company.workflow(`await ctx.http.fetch('${url}/nested'); return ctx.input;`, { workflow_ref_name: 'inner' });
    const body = `const kept = await ctx.step('once', async () => (await ctx.http.fetch('${url}/effect')).status);
      const nested = await ctx.workflows.execute('inner', { of: 1 });
      await ctx.http.fetch('${url}/runner');
      return { kept, nested };`;
    const nesting = { allow_inproc_nesting: true, inproc_nested_refs: ['inner'], timeout_seconds: 300 };
    const id = await company.workflow(body, nesting);
    const { run_id: runId = '' } = await company.execute(id, { mode: 'async' });
    for (const [at, [name, happen]] of faults.entries()) {
      await eventually(`the script waits before ${name}`, () => calls('/runner') === at + 1, ENDED_MS);
      await happen();
    }
    await eventually('the script waits after the last fault', () => calls('/runner') === faults.length + 1, ENDED_MS);
    held.release();
    const run = await company.ended(runId, ENDED_MS);
    expect(run).toMatchObject({ status: 'COMPLETED', output: { kept: 200, nested: { of: 1 } }, attempts: 1 });
    expect([calls('/effect'), calls('/nested')]).toEqual([1, 1]);
  }, 400_000);
});

describe('a nested run that a restarted script does not call again', () => {
  it('is cancelled when its parent ends', async () => {
    company = await world.company();
    const { url } = world.target;
    const held = gate('/left');
    await company.workflow(`await ctx.http.fetch('${url}/left'); return 1;`, {
      workflow_ref_name: 'left',
      timeout_seconds: 300,
    });
    const nesting = { allow_inproc_nesting: true, inproc_nested_refs: ['left'], timeout_seconds: 300 };
    const id = await company.workflow(`return ctx.workflows.execute('left', crypto.randomUUID());`, nesting);
    const { run_id: runId = '' } = await company.execute(id, { mode: 'async' });
    await eventually('the nested run waits', () => calls('/left') === 1, ENDED_MS);
    await world.platform.service('runner').kill('SIGKILL');
    await world.platform.service('runner').start();
    await eventually('another one waits', () => calls('/left') === 2, ENDED_MS);
    held.release();
    expect(await company.ended(runId, ENDED_MS)).toMatchObject({ status: 'COMPLETED', output: 1 });
    const { rows } = await world.platform.sql.query(
      'SELECT status FROM workflows.runs WHERE parent_run_id = $1 ORDER BY no',
      [runId],
    );
    expect(rows).toEqual([{ status: 'CANCELLED' }, { status: 'COMPLETED' }]);
  }, 400_000);
});

describe('a run whose script takes its process with it', () => {
  /** The processes that others have started below a process, without those in between. */
  const lowest = (pid: number): number[] => {
    const started = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
    return started.length > 0 ? started.flatMap(lowest) : [pid];
  };
  const killScripts = (): void => {
    for (const pid of lowest(world.platform.service('runner').pid)) process.kill(pid, 'SIGKILL');
  };
  const lost = async (id: string): Promise<number> => {
    const { rows } = await world.platform.sql.query('SELECT lost_executions FROM workflows.runs WHERE id = $1', [id]);
    return (rows[0] as { lost_executions: number }).lost_executions;
  };

  it('is executed again, each time counted, and fails after the twentieth', async () => {
    company = await world.company();
    const held = gate('/killed');
    const id = await company.workflow(`await ctx.http.fetch('${world.target.url}/killed'); return 1;`);
    const { run_id: runId = '' } = await company.execute(id, { mode: 'async' });
    for (const time of [1, 2]) {
      await eventually('the script waits', () => calls('/killed') === time, ENDED_MS);
      killScripts();
      await eventually('the loss is counted', async () => (await lost(runId)) === time, ENDED_MS);
    }
    await eventually('the script waits for the last time', () => calls('/killed') === 3, ENDED_MS);
    await world.platform.sql.query('UPDATE workflows.runs SET lost_executions = 19 WHERE id = $1', [runId]);
    killScripts();
    expect(await company.ended(runId, ENDED_MS)).toMatchObject({
      ...{ status: 'FAILED', failure_class: 'internal', error_code: 'interrupted', attempts: 1 },
      error_message: 'the run has lost its runner 20 times',
    });
    held.release();
  }, 400_000);
});

describe('a run that needs a service that is away', () => {
  const RESTARTS = `SELECT 1 FROM workflows.run_timeline WHERE run_id = $1 AND type = 'run_restart'`;
  const restartsOf = async (id: string) => (await world.platform.sql.query(RESTARTS, [id])).rows.length;

  it('waits for it for a while within the call, and does not start again', async () => {
    company = await world.company();
    const id = await company.workflow(
      `ctx.log('info', 'begun'); return (await ctx.http.fetch('${world.target.url}/once')).status;`,
    );
    const accounts = world.platform.service('accounts');
    await accounts.kill('SIGSTOP');
    const { run_id: runId = '' } = await company.execute(id, { mode: 'async' });
    await eventually('the script has begun', async () => (await company.get(runId)).logs.length > 0, ENDED_MS);
    await sleep(LOOKUP_MS + 2_000);
    await accounts.kill('SIGCONT');
    expect(await company.ended(runId, ENDED_MS)).toMatchObject({ status: 'COMPLETED', output: 200 });
    expect(await restartsOf(runId)).toBe(0);
  }, 400_000);

  it('starts again when that is for longer, until the service is back, and its script sees no failure', async () => {
    company = await world.company();
    const body = `try { return (await ctx.http.fetch('${world.target.url}/page')).status; } catch (error) { return error.name; }`;
    const id = await company.workflow(body);
    // What the company may call is read from the accounts service.
    await world.platform.service('accounts').kill('SIGKILL');
    const { run_id: runId = '' } = await company.execute(id, { mode: 'async' });
    await eventually('the script has started again', async () => (await restartsOf(runId)) > 0, ENDED_MS);
    await world.platform.service('accounts').start();
    expect(await company.ended(runId, ENDED_MS)).toMatchObject({ status: 'COMPLETED', output: 200, attempts: 1 });
    expect(calls('/page')).toBe(1);
  }, 400_000);

  it('has its session transformed when the service of sessions is back', async () => {
    company = await world.company();
    const held = gate('/before');
    const transform_session = 'function transform_session(session) { return { id: session.session_id }; }';
    const id = await company.workflow(`await ctx.http.fetch('${world.target.url}/before'); return 1;`, {
      transform_session,
    });
    const { run_id: runId = '' } = await company.execute(id, { mode: 'async', session_id: 'visit' });
    await eventually('the script waits', () => calls('/before') === 1, ENDED_MS);
    await world.platform.service('traffic').kill('SIGKILL');
    held.release();
    const preview = () =>
      world.platform.bus.call(
        transformPreviews.endpoints.previewTransform,
        { workflow_id: id, session_id: 'visit' },
        company.world.caller(),
      );
    const kindOf = (error: unknown): unknown => (error as { kind?: unknown }).kind;
    // From then on the process of workflows no longer waits with a call, but fails it.
    const refused = async (): Promise<boolean> => (await preview().then(() => 'read', kindOf)) === 'unavailable';
    await eventually('reads of sessions fail', refused, ENDED_MS);
    expect((await company.get(runId)).completed_at).toBeNull();
    await world.platform.service('traffic').start();
    expect(await company.ended(runId, ENDED_MS)).toMatchObject({
      ...{ status: 'COMPLETED', output: 1, transform_error: null },
      transformed_session: { id: 'visit' },
    });
  }, 400_000);
});
