import {
  agents,
  intents,
  monitors,
  monitorTargets,
  monitorVersions,
  parse,
  workflows,
  workflowVersions,
} from '@signalbox/contracts';
import { eventually, Platform } from '@signalbox/testing';
import { direct, PAGE, when, World } from './world.js';

const api = monitors.endpoints;
const targets = monitorTargets.endpoints;
const versions = monitorVersions.endpoints;
const UNKNOWN = 2_000_000_000;

let platform: Platform;
let world: World;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'monitors', 'workflows', 'runner']);
}, 120_000);
afterAll(() => platform.stop());
beforeEach(async () => {
  world = await World.make(platform);
});

describe('monitors', () => {
  it('are created as drafts and read with their targets', async () => {
    const created = await world.monitor({ description: 'watches' });
    expect(created).toMatchObject({
      name: 'Watch',
      status: 'DRAFT',
      target_count: 0,
      active: false,
      has_unpublished_changes: true,
      latest_version_number: null,
      last_run_at: null,
      default_release: null,
      shadow_version: null,
      targets: [],
    });
    const target = await world.attach(created.id, 'intent', (await world.intent()).id);
    expect(await world.get(created.id)).toEqual({ ...created, target_count: 1, targets: [target] });
    const bare = await platform.bus.call(
      api.getMonitor,
      { monitor_id: created.id, include_targets: false },
      world.caller(),
    );
    expect(bare).not.toHaveProperty('targets');
  });

  it('are listed by status, target type and text, as summaries', async () => {
    const one = await world.monitor({ name: 'Tone', description: '100% POLITE' });
    const two = await world.watching('intent', (await world.intent()).id, { name: 'Facts' });
    const list = async (change: object) => {
      const page = await platform.bus.call(api.listMonitors, { ...PAGE, ...change }, world.caller());
      for (const each of page.data) expect(each).not.toHaveProperty('config');
      return page.data.map(({ id }) => id);
    };
    expect(await list({})).toEqual([two.id, one.id]);
    expect(await list({ sort: 'name' })).toEqual([two.id, one.id]);
    expect(await list({ status: ['ACTIVE', 'PAUSED'] })).toEqual([two.id]);
    expect(await list({ target_type: ['intent'] })).toEqual([two.id]);
    expect(await list({ target_type: ['agent'] })).toEqual([]);
    expect(await list({ search: '0% pol' })).toEqual([one.id]);
  });

  it('have names that are unique among the living', async () => {
    const { id } = await world.monitor();
    await expect(world.monitor()).rejects.toMatchObject({ status: 409 });
    await platform.bus.call(api.deleteMonitor, { monitor_id: id }, world.caller());
    await world.monitor();
  });

  it('are refused with a bad pattern or an unknown runner', async () => {
    const bad = direct(when('response', 'matches', '(?=x)'));
    await expect(world.monitor({ config: bad })).rejects.toMatchObject({ status: 422 });
    const runner = (resource_type: 'model' | 'workflow') => ({
      ...direct(),
      runner: { resource_type, resource_id: UNKNOWN, input: { prompt: 'x' } },
    });
    await expect(world.monitor({ config: runner('model') })).rejects.toMatchObject({ message: 'model not found' });
    await expect(world.monitor({ config: runner('workflow') })).rejects.toMatchObject({
      message: 'workflow not found',
    });
    const { id } = await world.monitor();
    await expect(world.update(id, { config: bad })).rejects.toMatchObject({ status: 422 });
    await expect(world.update(UNKNOWN, { config: bad })).rejects.toMatchObject({ status: 404 });
  });

  it('whose runner is a workflow, written with latest, name the version that is the latest then', async () => {
    const { createWorkflow } = workflows.endpoints;
    const draft = parse(createWorkflow.input, { workflow_ref_name: 'judge', script: 'function execute() {}' });
    const { id: workflow_id } = await platform.bus.call(createWorkflow, draft, world.caller());
    const publish = () =>
      platform.bus.call(
        workflowVersions.endpoints.publishVersion,
        { workflow_id, bump_type: 'minor', version_notes: '' },
        world.caller(),
      );
    const config = {
      ...direct(),
      runner: { resource_type: 'workflow' as const, resource_id: workflow_id, version: 'latest', input: {} },
    };
    await expect(world.monitor({ config })).rejects.toMatchObject({ status: 404, message: 'version not found' });
    await publish();
    const { id, config: created } = await world.monitor({ config });
    expect(created.runner).toMatchObject({ resource_id: workflow_id, version: '1.0.0' });
    await publish();
    expect((await world.update(id, { config })).config.runner).toMatchObject({ version: '1.1.0' });
    expect((await world.get(id)).config.runner).toMatchObject({ version: '1.1.0' });
  });

  it('go from DRAFT to ACTIVE to PAUSED, with an event for each change', async () => {
    const { id } = await world.monitor();
    const pause = () => platform.bus.call(api.pauseMonitor, { monitor_id: id }, world.caller());
    await expect(pause()).rejects.toMatchObject({ status: 409, message: 'the monitor is DRAFT, not ACTIVE' });
    const active = await world.activate(id);
    expect(active).toMatchObject({ status: 'ACTIVE', active: false });
    expect(await world.activate(id)).toEqual(active);
    expect(await pause()).toMatchObject({ status: 'PAUSED' });
    expect(await world.events('monitor', id)).toEqual(['monitor.created', 'monitor.activated', 'monitor.paused']);
    expect(await world.audits('monitor', id)).toEqual(['create', 'enable', 'disable']);
  });

  it('are not activated, and say what is missing, while their draft cannot judge', async () => {
    const { runner: _none, ...config } = direct();
    const { id } = await world.monitor({ config });
    await expect(world.activate(id)).rejects.toMatchObject({
      status: 409,
      extras: { details: [{ field: 'runner', message: 'is required' }] },
    });
    const validate = (tried?: object) =>
      platform.bus.call(
        api.validateMonitor,
        { monitor_id: id, ...(tried ? { config: { ...tried } } : {}) },
        world.caller(),
      );
    expect(await validate()).toEqual({ valid: false, errors: [{ field: 'runner', message: 'is required' }] });
    expect(await validate(direct())).toEqual({ valid: true, errors: [] });
    const wrong = {
      ...direct(when('a', 'matches', '(?=x)')),
      runner: { resource_type: 'model', resource_id: UNKNOWN },
    };
    expect((await validate(wrong)).errors.map(({ field }) => field)).toEqual([
      'runner.input.prompt',
      'runner.resource_id',
      'result.fault',
    ]);
    expect((await validate({ limits: { timeout_ms: 1 } })).errors.map(({ field }) => field)).toEqual([
      'limits.timeout_ms',
    ]);
  });

  it('need a published version as their shadow', async () => {
    const { id } = await world.monitor();
    await expect(world.update(id, { shadow_version: '1.0.0' })).rejects.toMatchObject({ message: 'version not found' });
    const { version_number } = await world.publish(id);
    expect(await world.update(id, { shadow_version: version_number })).toMatchObject({
      shadow_version: version_number,
    });
    expect(await world.update(id, { shadow_version: null })).toMatchObject({ shadow_version: null });
  });

  it('keep the number of the version that is the latest when their shadow is written with latest', async () => {
    await expect(world.monitor({ shadow_version: 'latest' })).rejects.toMatchObject({
      status: 404,
      message: 'version not found',
    });
    const { id } = await world.monitor();
    const shadow = () => world.update(id, { shadow_version: 'latest' });
    await expect(shadow()).rejects.toMatchObject({ status: 404, message: 'version not found' });
    await world.publish(id);
    expect(await shadow()).toMatchObject({ shadow_version: '1.0.0' });
    await world.publish(id);
    expect(await world.get(id)).toMatchObject({ shadow_version: '1.0.0' });
    expect(await shadow()).toMatchObject({ shadow_version: '1.1.0' });
    expect(await world.get(id)).toMatchObject({ shadow_version: '1.1.0' });
  });

  it('of another company are as unknown as those that never were', async () => {
    const { id } = await world.monitor();
    const stranger = await World.make(platform);
    for (const endpoint of [
      api.getMonitor,
      api.updateMonitor,
      api.deleteMonitor,
      api.activateMonitor,
      api.pauseMonitor,
    ])
      for (const monitor_id of [id, UNKNOWN])
        await expect(
          platform.bus.call(endpoint as typeof api.pauseMonitor, { monitor_id }, stranger.caller()),
        ).rejects.toMatchObject({ status: 404, message: 'monitor not found' });
  });
});

describe('targets of monitors', () => {
  it('are attached once, changed, disabled and detached', async () => {
    const monitor = await world.monitor();
    const intent = await world.intent();
    const target = await world.attach(monitor.id, 'intent', intent.id, 25);
    expect(target).toMatchObject({ target_name: 'ask', sample_rate: 25, enabled: true, monitor_id: monitor.id });
    await expect(world.attach(monitor.id, 'intent', intent.id)).rejects.toMatchObject({ status: 409 });
    const path = { monitor_id: monitor.id, monitor_target_id: target.id };
    const update = await platform.bus.call(targets.updateMonitorTarget, { ...path, sample_rate: 50 }, world.caller());
    expect(update).toMatchObject({ sample_rate: 50 });
    expect(await platform.bus.call(targets.disableMonitorTarget, path, world.caller())).toMatchObject({
      enabled: false,
    });
    const list = { ...PAGE, monitor_id: monitor.id, enabled: true };
    expect((await platform.bus.call(targets.listMonitorTargets, list, world.caller())).data).toEqual([]);
    await platform.bus.call(targets.detachMonitorTarget, path, world.caller());
    await expect(platform.bus.call(targets.getMonitorTarget, path, world.caller())).rejects.toMatchObject({
      status: 404,
    });
    await world.attach(monitor.id, 'intent', intent.id);
    expect(await world.events('monitor_target', target.id)).toEqual([
      'monitor_target.attached',
      'monitor_target.updated',
      'monitor_target.updated',
      'monitor_target.detached',
    ]);
    expect(await world.audits('monitor_target', target.id)).toEqual(['create', 'update', 'disable', 'delete']);
  });

  it('are watched by a hundred monitors at most', async () => {
    const [monitor, intent] = [await world.monitor(), await world.intent()];
    await platform.sql.query(
      `WITH made AS (INSERT INTO monitors.monitors (company_id, name, status, config)
         SELECT $1, 'monitor ' || n, 'PAUSED', '{}' FROM generate_series(1, 100) n RETURNING id)
       INSERT INTO monitors.monitor_targets (company_id, monitor_id, target_type, target_id, target_name, name_date, sample_rate, enabled)
       SELECT $1, id, 'intent', $2, 'ask', 1, 100, true FROM made`,
      [world.companyId, intent.id],
    );
    const full = { status: 409, message: 'at most 100 monitors watch one target' };
    await expect(world.attach(monitor.id, 'intent', intent.id)).rejects.toMatchObject(full);
  });

  it('exist in the company', async () => {
    const { id } = await world.monitor();
    const stranger = await World.make(platform);
    const [intent, agent] = [await stranger.intent(), await stranger.agent()];
    for (const [type, target] of [
      ['intent', intent.id],
      ['intent', UNKNOWN],
      ['agent', agent.id],
      ['agent', UNKNOWN],
      ['workflow', UNKNOWN],
    ] as const)
      await expect(world.attach(id, type, target)).rejects.toMatchObject({ status: 404, message: `${type} not found` });
  });

  it('of another monitor are unknown below this one', async () => {
    const [one, two] = [await world.monitor({ name: 'one' }), await world.monitor({ name: 'two' })];
    const target = await world.attach(one.id, 'intent', (await world.intent()).id);
    const path = { monitor_id: two.id, monitor_target_id: target.id };
    for (const endpoint of [
      targets.getMonitorTarget,
      targets.enableMonitorTarget,
      targets.updateMonitorTarget,
      targets.detachMonitorTarget,
    ])
      await expect(
        platform.bus.call(endpoint as typeof targets.getMonitorTarget, path, world.caller()),
      ).rejects.toMatchObject({ status: 404, message: 'monitor target not found' });
  });

  it('keep what they are from being deleted, and a forced deletion detaches them', async () => {
    const monitor = await world.monitor();
    const [intent, agent] = [await world.intent(), await world.agent()];
    await world.attach(monitor.id, 'intent', intent.id);
    const watched = await world.attach(monitor.id, 'agent', agent.id);
    const path = { application_id: world.applicationId, intent_id: intent.id };
    await expect(platform.bus.call(intents.endpoints.deleteIntent, path, world.caller())).rejects.toMatchObject({
      status: 409,
      message: `the intent is a target of monitor ${monitor.id}`,
    });
    const remove = (force: boolean) =>
      platform.bus.call(agents.endpoints.deleteAgent, { agent_id: agent.id, force }, world.caller());
    await expect(remove(false)).rejects.toMatchObject({ message: `the agent is a target of monitor ${monitor.id}` });
    await remove(true);
    await eventually('the target is detached', async () => (await world.get(monitor.id)).target_count === 1);
    expect(await world.events('monitor_target', watched.id)).toContain('monitor_target.detached');
  });

  it('follow the name of an agent', async () => {
    const monitor = await world.monitor();
    const agent = await world.agent();
    await world.attach(monitor.id, 'agent', agent.id);
    await platform.bus.call(agents.endpoints.updateAgent, { agent_id: agent.id, agent_name: 'Clerk' }, world.caller());
    await eventually('the new name', async () => (await world.get(monitor.id)).targets?.[0]?.target_name === 'Clerk');
  });

  it('keep the last name of an agent when an earlier one arrives later', async () => {
    const [monitor, agent] = [await world.monitor(), await world.agent()];
    await world.attach(monitor.id, 'agent', agent.id);
    const rename = (agent_name: string) =>
      platform.bus.call(agents.endpoints.updateAgent, { agent_id: agent.id, agent_name }, world.caller());
    const named = (name: string) => async () => (await world.get(monitor.id)).targets?.[0]?.target_name === name;
    await rename('Second');
    await eventually('the second name', named('Second'));
    await rename('Third');
    await eventually('the third name', named('Third'));
    const { rowCount } = await platform.sql.query(
      `UPDATE agents.outbox SET sent_at = NULL, message_id = gen_random_uuid()
       WHERE company_id = $1 AND subject LIKE '%agent.updated' AND payload LIKE '%"Second"%'`,
      [world.companyId],
    );
    expect(rowCount).toBe(1);
    // Events of one kind are delivered in order, so that the earlier name has arrived when that of another agent has.
    const witness = await world.agent('Witness');
    const other = await world.monitor({ name: 'Other' });
    await world.attach(other.id, 'agent', witness.id);
    await platform.bus.call(agents.endpoints.updateAgent, { agent_id: witness.id, agent_name: 'Seen' }, world.caller());
    await eventually('the later event', async () => (await world.get(other.id)).targets?.[0]?.target_name === 'Seen');
    expect((await world.get(monitor.id)).targets?.[0]?.target_name).toBe('Third');
  });

  it('show the active monitors of a resource', async () => {
    const intent = await world.intent();
    const find = (change: object = {}) =>
      platform.bus.call(
        targets.listMonitorsByTarget,
        { target_type: 'intent', target_id: intent.id, enabled_only: false, ...change },
        world.caller(),
      );
    const draft = await world.monitor({ name: 'draft' });
    await world.attach(draft.id, 'intent', intent.id);
    expect(await find()).toEqual([]);
    const { id, name } = await world.watching('intent', intent.id);
    const [found, ...others] = await find();
    expect(others).toEqual([]);
    const { id: target } = (await world.get(id)).targets![0]!;
    expect(found).toEqual({
      monitor: { id, name, status: 'ACTIVE' },
      monitor_target: { id: target, target_type: 'intent', target_id: intent.id, sample_rate: 100, enabled: true },
    });
    await platform.bus.call(
      targets.disableMonitorTarget,
      { monitor_id: id, monitor_target_id: target },
      world.caller(),
    );
    expect(await find()).toHaveLength(1);
    expect(await find({ enabled_only: true })).toEqual([]);
    expect(await find({ target_id: UNKNOWN })).toEqual([]);
  });
});

describe('versions of monitors', () => {
  it('freeze the draft, are compared, restored and released', async () => {
    const { id } = await world.monitor();
    expect(await world.publish(id)).toMatchObject({ monitor_id: id, version_number: '1.0.0', is_latest: true });
    expect(await world.get(id)).toMatchObject({ has_unpublished_changes: false, latest_version_number: '1.0.0' });
    await world.update(id, { config: direct(when('response', 'is_empty')) });
    expect(await world.get(id)).toMatchObject({ has_unpublished_changes: true });
    const diff = await platform.bus.call(
      versions.diffVersions,
      { monitor_id: id, from: 'latest', to: 'draft' },
      world.caller(),
    );
    expect(Object.keys(diff.changes)).toEqual(['config.result.fault']);
    await platform.bus.call(versions.restoreVersion, { monitor_id: id, version: '1.0.0' }, world.caller());
    expect(await world.get(id)).toMatchObject({ has_unpublished_changes: false, config: direct() });
    const body = { monitor_id: id, name: 'prod', version: 'latest', is_default: true };
    expect(await platform.bus.call(versions.createRelease, body, world.caller())).toMatchObject({
      version_number: '1.0.0',
    });
    expect(await world.get(id)).toMatchObject({ default_release: 'prod' });
    expect(await world.events('monitor', id)).toEqual([
      'monitor.created',
      'monitor.version_published',
      'monitor.updated',
      'monitor.updated',
      'monitor.release_moved',
    ]);
  });

  it('are refused while the draft cannot judge', async () => {
    const { runner: _none, ...config } = direct();
    const { id } = await world.monitor({ config });
    await expect(world.publish(id)).rejects.toMatchObject({ status: 422, extras: { details: [{ field: 'runner' }] } });
  });
});
