import { agents, agentVersions, releases, type Scope, testSets } from '@signalbox/contracts';
import { PAGE, World } from '../world.js';
import { platform, world } from './fixture.js';

const api = agentVersions.endpoints;

describe('releases of an agent', () => {
  let agentId: number;
  beforeEach(async () => {
    agentId = (await world.agent({ system_prompt: 'Be kind' })).id;
  });

  let policy = { test_set_id: 0, min_match_rate: 0.9, max_age_ms: 3_600_000, max_error_rate: 0 };
  const writer: readonly Scope[] = ['read', 'write'];
  const create = (name: string, version: string, change: object = {}, caller = world.caller()) =>
    platform.bus.call(api.createRelease, { agent_id: agentId, name, version, is_default: false, ...change }, caller);
  const move = (release_name: string, change: object, caller = world.caller()) =>
    platform.bus.call(api.updateRelease, { agent_id: agentId, release_name, ...change }, caller);
  const history = async (release_name: string, search?: string) => {
    const query = { ...PAGE, agent_id: agentId, release_name, ...(search ? { search } : {}) };
    return (await platform.bus.call(api.listReleaseMoves, query, world.caller())).data;
  };
  beforeEach(async () => {
    const set = { name: 'Golden', consumer_kinds: [], criteria_ids: [], tags: [], meta: {} };
    const { id: test_set_id } = await platform.bus.call(testSets.endpoints.createTestSet, set, world.caller());
    policy = { ...policy, test_set_id };
    await world.publish(agentId);
    await world.publish(agentId);
  });

  it('point at a version and move, which is stored, emitted and audited', async () => {
    const made = await create('stable', '1.0.0', {}, world.caller({ keyId: 7 }));
    expect(made).toMatchObject({ name: 'stable', version_number: '1.0.0', is_default: false, gate_policy: null });
    const moved = await move('stable', { version: 'latest' }, world.caller({ keyId: 8 }));
    expect(moved).toMatchObject({ id: made.id, version_number: '1.1.0', moved_by_key_id: 8 });
    expect(
      await platform.bus.call(api.getRelease, { agent_id: agentId, release_name: 'stable' }, world.caller()),
    ).toEqual(moved);
    expect(await history('stable')).toMatchObject([
      { from_version: '1.0.0', to_version: '1.1.0', gate_result: null, key_id: 8 },
      { from_version: null, to_version: '1.0.0', gate_result: null, key_id: 7 },
    ]);
    expect(await history('stable', '1.1')).toMatchObject([{ to_version: '1.1.0' }]);
    expect((await world.events('agent', agentId)).slice(-2)).toEqual(['agent.release_moved', 'agent.release_moved']);
    expect((await world.audits('agent_release', made.id)).at(-1)).toMatchObject({
      action: 'release_move',
      before: { agent_id: agentId, release_name: 'stable', version: '1.0.0' },
      after: { to_version: '1.1.0', overridden: false },
    });
    const between = { agent_id: agentId, from: 'stable', to: '1.0.0' };
    expect(await platform.bus.call(api.diffVersions, between, world.caller())).toMatchObject({
      from_version: '1.1.0',
      to_version: '1.0.0',
    });
  });

  it('stay where they are when they are moved to where they are', async () => {
    const made = await create('stable', '1.0.0');
    expect((await move('stable', { version: '1.0.0' })).moved_at).toBe(made.moved_at);
    expect(await history('stable')).toHaveLength(1);
  });

  it('have free names, known versions and known releases', async () => {
    await create('stable', '1.0.0');
    await expect(create('stable', '1.1.0')).rejects.toMatchObject({ status: 409 });
    await expect(create('next', '3.0.0')).rejects.toMatchObject({ message: 'version not found' });
    await expect(move('next', { version: '1.0.0' })).rejects.toMatchObject({ message: 'release not found' });
    for (const name of ['draft', 'latest', 'Not A Slug'])
      await expect(create(name, '1.0.0')).rejects.toMatchObject({ status: 400 });
  });

  it('have one default, also when 16 claim it at once', async () => {
    const names = Array.from({ length: 16 }, (_, n) => `r${n}`);
    await Promise.all(names.map((name) => create(name, '1.0.0', { is_default: true })));
    await Promise.all(names.map((name) => move(name, { is_default: true, version: '1.1.0' })));
    const page = await platform.bus.call(api.listReleases, { ...PAGE, agent_id: agentId }, world.caller());
    expect(page.data.filter(({ is_default }) => is_default)).toHaveLength(1);
    expect(page.data.every(({ version_number }) => version_number === '1.1.0')).toBe(true);
  });

  it('are deleted, the default only as the last one; the name is free again', async () => {
    const drop = (release_name: string) =>
      platform.bus.call(api.deleteRelease, { agent_id: agentId, release_name }, world.caller());
    await create('stable', '1.0.0', { is_default: true });
    await create('next', '1.1.0');
    await expect(drop('stable')).rejects.toMatchObject({ status: 409 });
    expect(await drop('next')).toEqual({ id: 'next', deleted: true });
    expect(await drop('stable')).toEqual({ id: 'stable', deleted: true });
    await expect(drop('stable')).rejects.toMatchObject({ message: 'release not found' });
    await expect(history('stable')).rejects.toMatchObject({ status: 404 });
    await create('stable', '1.1.0');
    expect(await history('stable')).toHaveLength(1);
  });

  it('are audited under a separate type when they are deleted', async () => {
    const { id } = await create('stable', '1.0.0');
    await platform.bus.call(api.deleteRelease, { agent_id: agentId, release_name: 'stable' }, world.caller());
    expect((await world.audits('agent_release', id)).at(-1)).toMatchObject({
      action: 'delete',
      before: { agent_id: agentId, release_name: 'stable', version: '1.0.0' },
    });
    expect((await world.audits('agent', agentId)).map(({ action }) => action)).not.toContain('delete');
  });

  it('are renamed with their history, unless the name is taken', async () => {
    const made = await create('stable', '1.0.0');
    await create('next', '1.1.0');
    await expect(move('stable', { name: 'next' })).rejects.toMatchObject({ status: 409 });
    await expect(move('stable', { name: 'draft' })).rejects.toMatchObject({ status: 400 });
    expect(await move('stable', { name: 'stable' })).toMatchObject({ name: 'stable' });
    expect(await move('stable', { name: 'live', version: '1.1.0' })).toMatchObject({ id: made.id, name: 'live' });
    await expect(move('stable', {})).rejects.toMatchObject({ status: 404 });
    expect(await history('live')).toMatchObject([
      { release_name: 'live', to_version: '1.1.0' },
      { release_name: 'stable', to_version: '1.0.0' },
    ]);
    expect((await world.audits('agent_release', made.id)).at(-1)).toMatchObject({
      action: 'update',
      before: { release_name: 'stable' },
      after: { release_name: 'live' },
    });
    await create('stable', '1.0.0');
    expect(await history('stable')).toHaveLength(1);
  });

  it('take one new name of two that are given at once', async () => {
    await Promise.all(['a', 'b'].map((name) => create(name, '1.0.0')));
    const outcomes = await Promise.allSettled(['a', 'b'].map((name) => move(name, { name: 'c' })));
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('say what their gate would say, and stay where they are', async () => {
    const check = (release_name: string, version: string) =>
      platform.bus.call(api.checkRelease, { agent_id: agentId, release_name, version }, world.caller());
    await create('gated', '1.0.0');
    expect(await check('gated', 'latest')).toEqual({ passed: true, reasons: [] });
    await move('gated', { gate_policy: policy });
    expect(await check('gated', '1.1.0')).toEqual({ passed: false, reasons: ['no test run matches'] });
    await expect(check('gated', '9.0.0')).rejects.toMatchObject({ message: 'version not found' });
    await expect(check('none', '1.1.0')).rejects.toMatchObject({ message: 'release not found' });
    expect(await history('gated')).toHaveLength(1);
  });

  it('of all agents are listed with their agent and what their gate said last', async () => {
    const all = async (filters: object = {}) =>
      (await platform.bus.call(releases.endpoints.listAllReleases, { ...PAGE, sort: 'id', ...filters }, world.caller()))
        .data;
    await create('gated', '1.0.0', { is_default: true });
    await move('gated', { gate_policy: policy });
    await move('gated', { version: '1.1.0', override_reason: 'the incident' }, world.caller({ keyId: 9 }));
    const other = await world.agent({ agent_name: 'Other' });
    await world.publish(other.id);
    const body = { agent_id: other.id, name: 'live', version: '1.0.0', is_default: false };
    await platform.bus.call(api.createRelease, body, world.caller());
    const [gated, live] = await all();
    expect(gated).toEqual({
      parent_type: 'agent',
      parent_id: agentId,
      parent_name: 'Helper',
      name: 'gated',
      version_number: '1.1.0',
      is_default: true,
      gate_policy: policy,
      last_gate_result: { passed: false, reasons: ['no test run matches'] },
      mcp_enabled: false,
      moved_at: expect.any(Number) as number,
      moved_by_key_id: 9,
    });
    expect(live).toMatchObject({ parent_id: other.id, parent_name: 'Other', last_gate_result: null });
    expect(await all({ parent_id: other.id })).toEqual([live]);
    expect(await all({ search: 'othe' })).toEqual([live]);
    expect(await all({ parent_type: ['agent', 'monitor'] })).toHaveLength(2);
    expect(await all({ parent_type: ['workflow'] })).toEqual([]);
    await platform.bus.call(agents.endpoints.deleteAgent, { agent_id: other.id }, world.caller());
    expect(await all()).toEqual([gated]);
    const stranger = await World.make(platform);
    const page = await platform.bus.call(releases.endpoints.listAllReleases, PAGE, stranger.caller());
    expect(page.data).toEqual([]);
  });

  it('with a gate do not move without a test run that matches', async () => {
    const refused = { status: 409, extras: { details: [{ field: 'test_run', message: 'no test run matches' }] } };
    await expect(create('gated', '1.0.0', { gate_policy: policy })).rejects.toMatchObject(refused);
    await create('gated', '1.0.0');
    await move('gated', { gate_policy: policy });
    await expect(move('gated', { version: '1.1.0' })).rejects.toMatchObject(refused);
    expect(await history('gated')).toHaveLength(1);
  });

  it('with a gate are moved by an admin who says why, on the record', async () => {
    const { id } = await create('gated', '1.0.0');
    await move('gated', { gate_policy: policy });
    const input = { version: '1.1.0', override_reason: 'the incident' };
    await expect(move('gated', input, world.caller({ scopes: writer }))).rejects.toMatchObject({ status: 403 });
    expect(await move('gated', input)).toMatchObject({ version_number: '1.1.0' });
    expect((await history('gated'))[0]).toMatchObject({
      to_version: '1.1.0',
      override_reason: 'the incident',
      gate_result: { passed: false, reasons: ['no test run matches'] },
    });
    expect((await world.audits('agent_release', id)).at(-1)).toMatchObject({
      action: 'gate_override',
      reason: 'the incident',
    });
  });

  it('with a gate over an unknown test set are refused', async () => {
    const unknown = { ...policy, test_set_id: 2_000_000_000 };
    const refused = { status: 404, message: 'test set not found' };
    await expect(create('gated', '1.0.0', { gate_policy: unknown })).rejects.toMatchObject(refused);
    await create('gated', '1.0.0');
    await expect(move('gated', { gate_policy: unknown })).rejects.toMatchObject(refused);
    const stranger = await World.make(platform);
    const set = { name: 'Other', consumer_kinds: [], criteria_ids: [], tags: [], meta: {} };
    const { id: test_set_id } = await platform.bus.call(testSets.endpoints.createTestSet, set, stranger.caller());
    await expect(move('gated', { gate_policy: { ...policy, test_set_id } })).rejects.toMatchObject(refused);
  });

  it('let only an admin change or remove a policy; setting the first is for any writer', async () => {
    const caller = world.caller({ scopes: writer });
    await create('gated', '1.0.0', {}, caller);
    await move('gated', { gate_policy: policy }, caller);
    await move('gated', { gate_policy: { ...policy } }, world.caller({ scopes: writer }));
    for (const gate_policy of [null, { ...policy, min_match_rate: 0 }])
      await expect(move('gated', { gate_policy }, world.caller({ scopes: writer }))).rejects.toMatchObject({
        status: 403,
      });
    expect(await move('gated', { gate_policy: null, version: '1.1.0' })).toMatchObject({ gate_policy: null });
  });

  it('with a gate keep their place: only an admin deletes, renames or replaces them', async () => {
    const as = { writer: () => world.caller({ scopes: writer }), admin: () => world.caller() };
    const remove = (release_name: string, caller = as.writer()) =>
      platform.bus.call(api.deleteRelease, { agent_id: agentId, release_name }, caller);
    const forbidden = { status: 403, message: 'missing scope: admin' };
    await create('live', '1.0.0', { is_default: true }, as.writer());
    await create('other', '1.0.0', {}, as.writer());
    await move('live', { gate_policy: policy }, as.writer());
    await expect(remove('live')).rejects.toMatchObject(forbidden);
    await expect(move('live', { name: 'gone' }, as.writer())).rejects.toMatchObject(forbidden);
    // Another default, or none, would take the calls that the gated one guards.
    await expect(move('live', { is_default: false }, as.writer())).rejects.toMatchObject(forbidden);
    await expect(move('other', { is_default: true }, as.writer())).rejects.toMatchObject(forbidden);
    await expect(create('third', '1.1.0', { is_default: true }, as.writer())).rejects.toMatchObject(forbidden);
    await move('other', { is_default: true }, as.admin());
    await remove('live', as.admin());
    await expect(create('live', '1.1.0', {}, as.writer())).rejects.toMatchObject(forbidden);
    await expect(move('other', { name: 'live' }, as.writer())).rejects.toMatchObject(forbidden);
    await platform.sql.query(
      `UPDATE agents.agent_releases SET deleted_at = deleted_at - 31 * 86400000::bigint WHERE name = 'live'`,
    );
    expect(await create('live', '1.1.0', {}, as.writer())).toMatchObject({ version_number: '1.1.0' });
    await remove('live');
    expect(await create('live', '1.1.0', {}, as.writer())).toMatchObject({ gate_policy: null });
  });
});
