import { monitorRuns, monitors, monitorTargets, monitorVersions, requests, tasks } from '@signalbox/contracts';
import { eventually, Platform } from '@signalbox/testing';
import { roll } from '../src/sampling/sample.js';
import { drainBacklog } from './backlog.js';
import { direct, PAGE, when, World } from './world.js';

let platform: Platform;
let world: World;
beforeAll(async () => {
  // What a killed process had claimed is due again soon.
  const env = { WORK_LEASE_SECONDS: '5' };
  platform = await Platform.start({ services: ['accounts', 'traffic', 'agents', 'monitors'], env });
}, 120_000);
afterAll(() => platform.stop());
beforeEach(async () => {
  world = await World.make(platform);
});

/** Jobs for runs that could not be judged when they were sampled. */
async function directJobs(): Promise<number> {
  const { rows } = await platform.sql.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM monitors.work WHERE company_id = $1 AND kind = $2',
    [world.companyId, 'monitor_direct'],
  );
  return rows[0]!.count;
}

const SAID = 'response.choices[0].message.content';
const rude = direct(when(SAID, 'contains', 'stupid'), when(SAID, 'matches', '^(um|er)\\b'));

describe('production sources', () => {
  it('are judged once each by what the monitor watches for', async () => {
    const intent = await world.intent();
    const { id } = await world.watching('intent', intent.id, { config: rude });
    const fault = await world.request(intent, 'you are stupid');
    const warning = await world.request(intent, 'um, maybe');
    const pass = await world.request(intent, 'gladly');
    const runs = await world.judged(id, 3);
    const outcomes = Object.fromEntries(
      runs.map(({ source_id, outcome, failure_class }) => [source_id, [outcome, failure_class]]),
    );
    expect(outcomes).toEqual({
      [fault]: ['FAULT', 'quality'],
      [warning]: ['WARNING', 'quality'],
      [pass]: ['PASS', null],
    });
    const run = runs.find(({ source_id }) => source_id === fault)!;
    expect(run).toMatchObject({
      monitor_id: id,
      version_number: '1.0.0',
      source_type: 'request',
      runner_type: 'direct',
      runner_ref_id: null,
      shadow: false,
      cost: null,
      resolution_trace: [
        { group: 'fault', result: true, conditions: [{ id: SAID, actual: 'you are stupid', result: true }] },
      ],
      runner_output: { request_id: fault, messages: [{ role: 'user', content: 'hello' }], metadata: {} },
    });
    expect((await world.get(id)).last_run_at).toBe(Math.max(...runs.map(({ date_created }) => date_created)));
    expect(await world.events('monitor_run', run.id)).toEqual(['monitor_run.completed']);
    expect(await directJobs()).toBe(0);
  });

  it('are completed tasks of agents, without those that are tests', async () => {
    const agent = await world.agent();
    const { id } = await world.watching('agent', agent.id, {
      config: direct(when('output.content', 'contains', 'bad')),
    });
    const invoke = async (message: string) => {
      const body = { agent_id: agent.id, message, wait: true, stream: false, max_iterations: 2 };
      const caller = world.caller({ deadline: Date.now() + 30_000 });
      const reply = await platform.bus.call(tasks.endpoints.invokeAgent, body as never, caller);
      return (reply as unknown as { task_id: string }).task_id;
    };
    const [bad, good] = [await invoke('a bad day'), await invoke('a good day')];
    const runs = await world.judged(id, 2);
    expect(runs.map(({ source_type }) => source_type)).toEqual(['agent_task', 'agent_task']);
    expect(new Map(runs.map((run) => [run.source_id, run.outcome]))).toEqual(
      new Map([
        [good, 'PASS'],
        [bad, 'FAULT'],
      ]),
    );
    const output = runs.find(({ source_id }) => source_id === bad)!.runner_output as Record<string, unknown>;
    expect(Object.keys(output).sort()).toEqual(['input_messages', 'output', 'state', 'task_id']);
  }, 60_000);

  it('are judged by the default release before the latest version, and never by the draft', async () => {
    const intent = await world.intent();
    const { id } = await world.watching('intent', intent.id, { config: direct() });
    const release = { monitor_id: id, name: 'prod', version: '1.0.0', is_default: true };
    await platform.bus.call(monitorVersions.endpoints.createRelease, release, world.caller());
    await world.update(id, { config: direct(when('request_id', 'exists')) });
    await world.request(intent, 'one');
    expect((await world.judged(id, 1))[0]).toMatchObject({ outcome: 'PASS', version_number: '1.0.0' });
    await world.publish(id);
    await world.request(intent, 'two');
    expect((await world.judged(id, 2))[0]).toMatchObject({ outcome: 'PASS', version_number: '1.0.0' });
    await platform.bus.call(
      monitorVersions.endpoints.updateRelease,
      { monitor_id: id, release_name: 'prod', version: '1.1.0' },
      world.caller(),
    );
    await world.request(intent, 'three');
    expect((await world.judged(id, 3))[0]).toMatchObject({ outcome: 'FAULT', version_number: '1.1.0' });
  });

  it('are found by the release that judged them, and by a text of their output, trace or error', async () => {
    const intent = await world.intent();
    const { id } = await world.watching('intent', intent.id, { config: rude });
    const latest = await world.request(intent, 'the "first" answer');
    await world.judged(id, 1);
    const release = { monitor_id: id, name: 'prod', version: '1.0.0', is_default: true };
    await platform.bus.call(monitorVersions.endpoints.createRelease, release, world.caller());
    const released = await world.request(intent, 'the second: you are stupid');
    await world.judged(id, 2);
    const found = async (filter: { release?: string; text?: string }): Promise<string[]> => {
      const input = { ...PAGE, ...filter };
      const page = await platform.bus.call(monitorRuns.endpoints.listAllMonitorRuns, input, world.caller());
      return page.data.map(({ source_id }) => source_id);
    };
    expect(await found({ release: 'prod' })).toEqual([released]);
    expect(await found({ release: 'other' })).toEqual([]);
    expect(await found({ text: 'the "First"' })).toEqual([latest]);
    expect(await found({ text: 'ARE STUPID' })).toEqual([released]);
    expect(await found({ text: 'answer%second' })).toEqual([]);
    expect((await world.runs(id, { release: 'prod', text: 'second' })).map(({ source_id }) => source_id)).toEqual([
      released,
    ]);
  });

  it('are judged by a shadow version as well as by the active one', async () => {
    const intent = await world.intent();
    const { id } = await world.watching('intent', intent.id, { config: direct() });
    const release = { monitor_id: id, name: 'prod', version: '1.0.0', is_default: true };
    await platform.bus.call(monitorVersions.endpoints.createRelease, release, world.caller());
    await world.update(id, { config: direct(when('request_id', 'exists')) });
    await world.publish(id);
    await world.update(id, { shadow_version: '1.1.0' });
    const source = await world.request(intent, 'one');
    const runs = await world.judged(id, 2);
    expect(runs.map(({ source_id }) => source_id)).toEqual([source, source]);
    expect(new Map(runs.map((run) => [run.version_number, [run.outcome, run.shadow]]))).toEqual(
      new Map([
        ['1.0.0', ['PASS', false]],
        ['1.1.0', ['FAULT', true]],
      ]),
    );
    expect(await world.runs(id, { shadow: false })).toHaveLength(1);
  });

  it('are not judged without an active monitor, an enabled target or production', async () => {
    const intent = await world.intent();
    const idle = await world.monitor({ name: 'idle' });
    await world.attach(idle.id, 'intent', intent.id);
    await world.publish(idle.id);
    const off = await world.watching('intent', intent.id, { name: 'off' });
    const target = { monitor_id: off.id, monitor_target_id: (await world.get(off.id)).targets![0]!.id };
    await platform.bus.call(monitorTargets.endpoints.disableMonitorTarget, target, world.caller());
    const never = await world.watching('intent', (await world.intent('other')).id, { name: 'other' });
    const watching = await world.watching('intent', intent.id, { name: 'on' });
    await world.request(intent, 'x');
    await world.judged(watching.id, 1);
    for (const { id } of [idle, off, never]) expect(await world.runs(id)).toEqual([]);
    await platform.bus.call(monitors.endpoints.pauseMonitor, { monitor_id: watching.id }, world.caller());
    const witness = await world.watching('intent', intent.id, { name: 'witness' });
    await world.request(intent, 'y');
    await world.judged(witness.id, 1);
    expect(await world.runs(watching.id)).toHaveLength(1);
  });

  it('are judged from the activation on, although their events may arrive again later', async () => {
    const intent = await world.intent();
    const late = await world.watching('intent', intent.id, { name: 'late' });
    const watching = await world.watching('intent', intent.id);
    await platform.sql.query('UPDATE monitors.monitors SET activated_at = activated_at + 60000 WHERE id = $1', [
      late.id,
    ]);
    await world.request(intent, 'x');
    await world.judged(watching.id, 1);
    expect(await world.runs(late.id)).toEqual([]);
  });

  it('that arrive again are recognized by their runs, without a row in the inbox', async () => {
    const intent = await world.intent();
    const { id } = await world.watching('intent', intent.id);
    await world.request(intent, 'x');
    await world.judged(id, 1);
    const { rowCount } = await platform.sql.query(
      `UPDATE traffic.outbox SET sent_at = NULL, message_id = gen_random_uuid()
       WHERE company_id = $1 AND subject LIKE '%request.completed' AND sent_at IS NOT NULL`,
      [world.companyId],
    );
    expect(rowCount).toBeGreaterThan(0);
    await world.request(intent, 'y');
    const sources = (await world.judged(id, 2)).map(({ source_id }) => source_id);
    expect([sources.length, new Set(sources).size]).toEqual([2, 2]);
    const { rows } = await platform.sql.query('SELECT 1 FROM monitors.inbox WHERE company_id = $1 AND consumer = $2', [
      world.companyId,
      'monitors-requests',
    ]);
    expect(rows).toEqual([]);
  });

  it('are sampled at the rate of their target', async () => {
    const intent = await world.intent();
    const monitor = await world.monitor();
    const target = await world.attach(monitor.id, 'intent', intent.id, 50);
    await world.publish(monitor.id);
    await world.activate(monitor.id);
    const all = await world.watching('intent', intent.id, { name: 'all' });
    const ids = await world.requests(intent, 100);
    await world.judged(all.id, 100);
    await eventually('every sample is judged', async () => {
      const { rows } = await platform.sql.query(
        'SELECT 1 FROM monitors.monitor_runs WHERE company_id = $1 AND outcome IS NULL',
        [world.companyId],
      );
      return rows.length === 0;
    });
    // The rolls are uniform; here they are those of the sources.
    const expected = ids.filter((id) => roll('request', id, target.id) < 50);
    const sampled = (await world.runs(monitor.id)).map(({ source_id }) => source_id);
    expect(sampled.sort()).toEqual(expected.sort());
  });

  it('that are deleted before they are judged end as ERROR of class adapter', async () => {
    const intent = await world.intent();
    const { id } = await world.watching('intent', intent.id);
    await platform.service('monitors').kill('SIGKILL');
    const request_id = await world.request(intent, 'x');
    await platform.bus.call(requests.endpoints.deleteRequest, { request_id }, world.caller());
    await platform.service('monitors').start();
    const [run] = await world.judged(id, 1);
    expect(run).toMatchObject({ outcome: 'ERROR', failure_class: 'adapter' });
    expect(await directJobs()).toBe(1);
    const retry = { monitor_id: id, run_id: run!.id };
    await expect(platform.bus.call(monitorRuns.endpoints.retryMonitorRun, retry, world.caller())).rejects.toMatchObject(
      { status: 409 },
    );
  }, 60_000);

  it('of a backlog are judged once each through kills and the loss of the bus store', async () => {
    const { sources, judged, errors } = await drainBacklog(world, { sources: 2000, kills: 2, limitMs: 90_000 });
    expect({ recorded: sources.length, errors }).toEqual({ recorded: 2000, errors: 0 });
    expect(judged).toEqual(sources);
  }, 150_000);
});
