import { actions, agents, agentVersions } from '@signalbox/contracts';
import { eventually, timeScale } from '@signalbox/testing';
import { PAGE, World } from '../world.js';
import { platform, world } from './fixture.js';

const api = agentVersions.endpoints;
let agentId: number;

const update = (change: object) =>
  platform.bus.call(agents.endpoints.updateAgent, { agent_id: agentId, ...change }, world.caller());
const changeAction = (action_id: number, change: object) =>
  platform.bus.call(actions.endpoints.updateAction, { action_id, ...change }, world.caller());
const getVersion = (version: string, include_snapshot = true, caller = world.caller()) =>
  platform.bus.call(api.getVersion, { agent_id: agentId, version, include_snapshot }, caller);
const diff = (from: string, to = 'draft') =>
  platform.bus.call(api.diffVersions, { agent_id: agentId, from, to }, world.caller());
const restore = (version: string) =>
  platform.bus.call(api.restoreVersion, { agent_id: agentId, version }, world.caller());

describe('versions of an agent', () => {
  beforeEach(async () => {
    agentId = (await world.agent({ system_prompt: 'Be kind' })).id;
  });

  it('are numbered from 1.0.0 by what is incremented, the newest being the latest', async () => {
    for (const [increment, version] of [
      ['patch', '1.0.0'],
      ['patch', '1.0.1'],
      ['minor', '1.1.0'],
      ['major', '2.0.0'],
    ] as const)
      expect(await world.publish(agentId, increment)).toMatchObject({ version, is_latest: true });
    const page = await platform.bus.call(api.listVersions, { ...PAGE, agent_id: agentId }, world.caller());
    expect(page.data.map(({ version, is_latest }) => [version, is_latest])).toEqual([
      ['2.0.0', true],
      ['1.1.0', false],
      ['1.0.1', false],
      ['1.0.0', false],
    ]);
  });

  it('are records with seconds, notes and the agent; only the read of one shows the snapshot', async () => {
    const action = await world.action(agentId, 'look up');
    const body = { agent_id: agentId, increment: 'minor' as const, version_notes: 'first' };
    const made = await platform.bus.call(api.publishVersion, body, world.caller());
    expect(made).toEqual({
      id: made.id,
      agent_id: agentId,
      version: '1.0.0',
      notes: 'first',
      is_latest: true,
      date_created: expect.any(Number) as unknown,
      agent: { id: agentId, agent_name: 'Helper' },
    });
    expect(Math.abs(made.date_created - Date.now() / 1000)).toBeLessThan(10 * timeScale());
    expect(await getVersion('1.0.0', false)).toEqual(made);
    const full = await getVersion('latest');
    const { date_created: _created, agent_id: _agent, status: _status, ...frozen } = action;
    expect(full).toMatchObject({ ...made, snapshot: { system_prompt: 'Be kind', actions: [frozen] } });
    expect((full.snapshot as { actions: object[] }).actions).toEqual([frozen]);
    await expect(getVersion('1.0.1')).rejects.toMatchObject({ message: 'version not found' });
  });

  it('are of a draft that was checked: what is changed meanwhile is checked again', async () => {
    const client = await platform.sql.connect();
    const publish = async (change: string) => {
      await client.query('BEGIN');
      await client.query('SELECT 1 FROM agents.agents WHERE id = $1 FOR UPDATE', [agentId]);
      const publishing = world.publish(agentId).then(
        ({ version }) => getVersion(version),
        (error: unknown) => error,
      );
      await eventually('the publish waits for the draft', async () => {
        const { rows } = await platform.sql.query(
          `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%FOR NO KEY UPDATE%'`,
        );
        return rows.length > 0;
      });
      await client.query(`UPDATE agents.agents SET ${change} WHERE id = $1`, [agentId]);
      await client.query('COMMIT');
      return publishing;
    };
    expect(await publish(`system_prompt = 'late'`)).toMatchObject({ snapshot: { system_prompt: 'late' } });
    expect(await publish(`model = 'unknown'`)).toMatchObject({
      status: 422,
      extras: { details: [{ field: 'model' }] },
    });
    client.release();
  });

  it('are gap-free and have one latest when 16 are published at once', async () => {
    await Promise.all(Array.from({ length: 16 }, () => world.publish(agentId)));
    const page = await platform.bus.call(api.listVersions, { ...PAGE, agent_id: agentId, sort: 'id' }, world.caller());
    expect(page.data.map(({ version }) => version)).toEqual(Array.from({ length: 16 }, (_, n) => `1.${n}.0`));
    expect(page.data.filter(({ is_latest }) => is_latest).map(({ version }) => version)).toEqual(['1.15.0']);
    expect(await world.get(agentId)).toMatchObject({ latest_version: '1.15.0', has_unpublished_changes: false });
  });

  it('tell whether the draft differs from the latest', async () => {
    const pending = async () => (await world.get(agentId)).has_unpublished_changes;
    expect(await pending()).toBe(true);
    await world.publish(agentId);
    expect(await pending()).toBe(false);
    expect((await update({ model: 'simulated-echo' })).has_unpublished_changes).toBe(true);
    expect((await update({ model: null })).has_unpublished_changes).toBe(false);
    await platform.bus.call(agents.endpoints.disableAgent, { agent_id: agentId }, world.caller());
    expect(await pending()).toBe(false);
    const action = await world.action(agentId, 'look up');
    expect(await pending()).toBe(true);
    await platform.bus.call(actions.endpoints.deleteAction, { action_id: action.id }, world.caller());
    expect(await pending()).toBe(false);
  });

  it('do not change with the draft, nor by the hand of the service itself', async () => {
    await world.publish(agentId);
    const before = await getVersion('1.0.0');
    await update({ system_prompt: 'Be quick', agent_name: 'Other' });
    expect(await getVersion('1.0.0')).toEqual(before);
    const client = await platform.sql.connect();
    try {
      await client.query('BEGIN');
      await client.query(`SET LOCAL ROLE svc_agents; SET LOCAL app.company = '${world.companyId}'`);
      for (const statement of [
        `UPDATE agents.agent_versions SET snapshot = '{}'`,
        `UPDATE agents.agent_versions SET version_number = '9.9.9'`,
        `DELETE FROM agents.agent_versions`,
      ]) {
        await client.query('SAVEPOINT s');
        await expect(client.query(statement)).rejects.toThrow('permission denied');
        await client.query('ROLLBACK TO SAVEPOINT s');
      }
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it('are compared path by path, and actions by name', async () => {
    const kept = await world.action(agentId, 'kept');
    const gone = await world.action(agentId, 'gone');
    await world.publish(agentId);
    expect(await diff('1.0.0')).toMatchObject({ from_version: '1.0.0', to_version: null, has_changes: false });
    await update({ agent_config: { temperature: 1 } });
    await changeAction(kept.id, { description: 'better' });
    await platform.bus.call(actions.endpoints.deleteAction, { action_id: gone.id }, world.caller());
    await world.action(agentId, 'fresh');
    const found = await diff('latest');
    expect(found.changes).toEqual({ 'agent_config.temperature': { from: null, to: 1 } });
    expect(found.actions).toMatchObject({
      added: [{ action_name: 'fresh' }],
      removed: [{ action_name: 'gone' }],
      changed: [{ action_name: 'kept', from: { description: 'does it' }, to: { description: 'better' } }],
    });
    await expect(diff('stable')).rejects.toMatchObject({ message: 'release not found' });
    await expect(diff('7.0.0')).rejects.toMatchObject({ message: 'version not found' });
  });

  it('are copied back onto the draft: fields, and actions by name', async () => {
    const kept = await world.action(agentId, 'kept', { is_default: true });
    const gone = await world.action(agentId, 'gone');
    await world.publish(agentId);
    const before = await world.get(agentId);
    await update({ agent_name: 'Renamed', system_prompt: null });
    await changeAction(kept.id, { description: 'better' });
    await platform.bus.call(actions.endpoints.deleteAction, { action_id: gone.id }, world.caller());
    await world.action(agentId, 'surplus', { is_default: true });
    const after = await restore('latest');
    expect({ ...after, date_updated: 0 }).toEqual({ ...before, date_updated: 0 });
    expect(after).toMatchObject({ has_unpublished_changes: false, action_count: 2 });
    expect((await diff('1.0.0')).has_changes).toBe(false);
    expect((await world.events('agent', agentId)).at(-1)).toBe('agent.updated');
    expect((await world.audits('agent', agentId)).at(-1)).toMatchObject({
      action: 'update',
      before: { agent_name: 'Renamed' },
      after: { agent_name: 'Helper' },
    });
  });

  it('are not copied back under a name that another agent took meanwhile', async () => {
    await world.publish(agentId);
    await update({ agent_name: 'Renamed' });
    await world.agent();
    await expect(restore('1.0.0')).rejects.toMatchObject({ status: 409 });
    expect(await world.get(agentId)).toMatchObject({ agent_name: 'Renamed' });
  });

  it('are emitted and audited', async () => {
    const { id } = await world.publish(agentId);
    expect(await world.events('agent', agentId)).toEqual(['agent.created', 'agent.version_published']);
    expect((await world.audits('agent', agentId)).at(-1)).toMatchObject({
      action: 'publish',
      after: { id, version: '1.0.0' },
    });
  });

  it('of another company, and of a deleted agent, are unknown', async () => {
    await world.publish(agentId);
    const stranger = await World.make(platform);
    const calls = (caller = world.caller()) => [
      world.publish(agentId, 'minor', caller),
      getVersion('1.0.0', true, caller),
      platform.bus.call(api.listVersions, { ...PAGE, agent_id: agentId }, caller),
      platform.bus.call(api.restoreVersion, { agent_id: agentId, version: '1.0.0' }, caller),
      platform.bus.call(api.diffVersions, { agent_id: agentId, from: '1.0.0', to: 'draft' }, caller),
      platform.bus.call(api.listReleases, { ...PAGE, agent_id: agentId }, caller),
      platform.bus.call(api.getRelease, { agent_id: agentId, release_name: 'x' }, caller),
      platform.bus.call(api.deleteRelease, { agent_id: agentId, release_name: 'x' }, caller),
      platform.bus.call(api.listReleaseMoves, { ...PAGE, agent_id: agentId, release_name: 'x' }, caller),
      platform.bus.call(
        api.createRelease,
        { agent_id: agentId, name: 'x', version: '1.0.0', is_default: false },
        caller,
      ),
    ];
    const unknown = { status: 'rejected', reason: { status: 404, message: 'agent not found' } };
    for (const outcome of await Promise.allSettled(calls(stranger.caller()))) expect(outcome).toMatchObject(unknown);
    await platform.bus.call(agents.endpoints.deleteAgent, { agent_id: agentId }, world.caller());
    for (const outcome of await Promise.allSettled(calls())) expect(outcome).toMatchObject(unknown);
  });
});
