import {
  actions,
  agents,
  agentSessions,
  agentVersions,
  formFields,
  type InputOf,
  subAgents,
  tasks,
} from '@signalbox/contracts';
import { PAGE, World } from '../world.js';
import { platform, world } from './fixture.js';

let agentId: number;

type NewLink = InputOf<typeof subAgents.endpoints.addSubAgent>;
const link = (agent_id: number, child_agent_id: number, change: Partial<NewLink> = {}, caller = world.caller()) =>
  platform.bus.call(
    subAgents.endpoints.addSubAgent,
    { agent_id, child_agent_id, action_result_type: 'gather_info', ...change },
    caller,
  );
const changeLink = (agent_id: number, child_agent_id: number, change: object) =>
  platform.bus.call(subAgents.endpoints.updateSubAgent, { agent_id, child_agent_id, ...change }, world.caller());
const unlink = (agent_id: number, child_agent_id: number) =>
  platform.bus.call(subAgents.endpoints.removeSubAgent, { agent_id, child_agent_id }, world.caller());
const agent = async (agent_name: string) => (await world.agent({ agent_name })).id;
const remove = (agent_id: number) => platform.bus.call(agents.endpoints.deleteAgent, { agent_id }, world.caller());
const restore = (version: string) =>
  platform.bus.call(agentVersions.endpoints.restoreVersion, { agent_id: agentId, version }, world.caller());

const startWithAnAgent = (): void =>
  beforeEach(async () => {
    agentId = (await world.agent()).id;
  });

describe('sub-agents', () => {
  startWithAnAgent();

  it('are linked, listed, changed and taken away, as changes of their agent', async () => {
    const [one, two] = [await agent('One'), await agent('Two')];
    const made = await link(agentId, one);
    expect(made).toMatchObject({ agent_id: agentId, child_agent_id: one, version: null, release: null, position: 0 });
    expect(await link(agentId, two, { action_result_type: 'complete_task' })).toMatchObject({ position: 1 });
    const page = await platform.bus.call(
      subAgents.endpoints.listSubAgents,
      { ...PAGE, agent_id: agentId, sort: 'position' },
      world.caller(),
    );
    expect(page.data.map(({ child_agent_id }) => child_agent_id)).toEqual([one, two]);
    expect(await world.get(agentId)).toMatchObject({
      sub_agent_count: 2,
      sub_agents: [{ child_agent_id: one }, { child_agent_id: two, action_result_type: 'complete_task' }],
    });
    await world.publish(one);
    expect(await changeLink(agentId, one, { version: '1.0.0' })).toMatchObject({ id: made.id, version: '1.0.0' });
    // Changes nothing, so emits nothing: the events are counted below.
    expect(await changeLink(agentId, one, {})).toMatchObject({ id: made.id, version: '1.0.0', position: 0 });
    await expect(changeLink(agentId, agentId, {})).rejects.toMatchObject({ status: 404 });
    expect(await unlink(agentId, one)).toEqual({ id: one, deleted: true });
    expect((await world.get(agentId)).sub_agents).toMatchObject([{ child_agent_id: two, position: 0 }]);
    await expect(unlink(agentId, one)).rejects.toMatchObject({ status: 404, message: 'sub-agent not found' });
    expect(await world.events('agent', agentId)).toEqual(['agent.created', ...Array(4).fill('agent.updated')]);
    expect((await world.audits('agent', agentId)).at(-1)).toMatchObject({
      before: { sub_agents: [{ child_agent_id: one }, { child_agent_id: two }] },
      after: { sub_agents: [{ child_agent_id: two }] },
    });
  });

  it('exist, in the version or release that is named, in the same company', async () => {
    const child = await agent('Child');
    const stranger = await World.make(platform);
    const theirs = (await stranger.agent()).id;
    for (const other of [theirs, 2_000_000_000])
      await expect(link(agentId, other)).rejects.toMatchObject({ status: 404, message: 'agent not found' });
    await expect(link(agentId, child, { version: '1.0.0' })).rejects.toMatchObject({ message: 'version not found' });
    await expect(link(agentId, child, { release: 'stable' })).rejects.toMatchObject({ message: 'release not found' });
    await link(agentId, child);
    await expect(changeLink(agentId, child, { version: '1.0.0' })).rejects.toMatchObject({ status: 404 });
    await expect(link(agentId, child, {}, stranger.caller())).rejects.toMatchObject({ message: 'agent not found' });
    await expect(link(agentId, child)).rejects.toMatchObject({ status: 409 });
  });

  it('never make a circle, not even when 16 links are made at once', async () => {
    await expect(link(agentId, agentId)).rejects.toMatchObject({ status: 409 });
    const ring = [agentId, await agent('B'), await agent('C'), await agent('D')];
    const links = ring.map((from, index) => [from, ring[(index + 1) % ring.length]!] as const);
    for (let round = 0; round < 4; round++) {
      const results = await Promise.allSettled(links.flatMap(([from, to]) => [link(from, to), link(to, from)]));
      for (const result of results)
        if (result.status === 'rejected') expect(result.reason).toMatchObject({ status: 409 });
      const { rows } = await platform.sql.query<{ circles: number }>(
        `WITH RECURSIVE walk(start, at, depth) AS (
           SELECT agent_id, child_agent_id, 1 FROM agents.sub_agents WHERE company_id = $1 AND deleted_at IS NULL
           UNION ALL SELECT w.start, l.child_agent_id, w.depth + 1 FROM walk w JOIN agents.sub_agents l
             ON l.company_id = $1 AND l.agent_id = w.at AND l.deleted_at IS NULL WHERE w.depth < 6)
         SELECT count(*)::int AS circles FROM walk WHERE start = at`,
        [world.companyId],
      );
      expect(rows[0]?.circles).toBe(0);
      for (const from of ring)
        for (const { child_agent_id: to } of (await world.get(from)).sub_agents) await unlink(from, to);
    }
  }, 60_000);

  it('are not deleted while another agent has them; with their parent they are free', async () => {
    const child = await agent('Child');
    await link(agentId, child);
    await expect(remove(child)).rejects.toMatchObject({ status: 409 });
    await remove(agentId);
    expect(await remove(child)).toEqual({ id: child, deleted: true });
  });

  it('are frozen to their latest version by a publish; one without a version is refused', async () => {
    const child = await agent('Child');
    await link(agentId, child);
    await expect(world.publish(agentId)).rejects.toMatchObject({ status: 409 });
    await world.publish(child);
    await world.publish(agentId);
    await world.publish(child);
    const { snapshot } = await platform.bus.call(
      agentVersions.endpoints.getVersion,
      { agent_id: agentId, version: '1.0.0', include_snapshot: true },
      world.caller(),
    );
    expect(snapshot).toMatchObject({ sub_agents: [{ child_agent_id: child, version: '1.0.0', frozen: true }] });
    const diff = (from: string, to: string) =>
      platform.bus.call(agentVersions.endpoints.diffVersions, { agent_id: agentId, from, to }, world.caller());
    expect(await diff('1.0.0', 'draft')).toMatchObject({ has_changes: false });
    expect(await world.get(agentId)).toMatchObject({ has_unpublished_changes: false });
    await world.publish(agentId);
    expect(await diff('1.0.0', '1.1.0')).toMatchObject({ sub_agents: { changed: [{ child_agent_id: child }] } });
    await unlink(agentId, child);
    expect((await diff('latest', 'draft')).sub_agents).toMatchObject({ removed: [{ child_agent_id: child }] });
    expect(await restore('1.0.0')).toMatchObject({
      sub_agents: [{ child_agent_id: child, version: null }],
      has_unpublished_changes: false,
    });
  });

  it('are not restored when they are gone or would close a circle by now', async () => {
    const child = await agent('Child');
    await world.publish(child);
    await link(agentId, child);
    await world.publish(agentId);
    await unlink(agentId, child);
    await link(child, agentId);
    await expect(restore('1.0.0')).rejects.toMatchObject({ status: 409 });
    await unlink(child, agentId);
    await remove(child);
    await expect(restore('1.0.0')).rejects.toMatchObject({ status: 409 });
  });
});

describe('form fields', () => {
  startWithAnAgent();

  type NewField = InputOf<typeof formFields.endpoints.createFormField>;
  const create = (field_key: string, change: Partial<NewField> = {}) =>
    platform.bus.call(
      formFields.endpoints.createFormField,
      {
        agent_id: agentId,
        field_key,
        label: field_key,
        field_type: 'string',
        required: false,
        read_scope: 'all',
        write_scope: 'all',
        ...change,
      },
      world.caller(),
    );
  const update = (field_id: number, change: object) =>
    platform.bus.call(formFields.endpoints.updateFormField, { agent_id: agentId, field_id, ...change }, world.caller());
  const keys = async () =>
    (await world.get(agentId)).form_fields.map(({ field_key, position }) => [field_key, position]);

  it('are kept in order, with free keys', async () => {
    const a = await create('a');
    await create('b');
    const c = await create('c', { position: 1 });
    expect(await keys()).toEqual([
      ['a', 0],
      ['c', 1],
      ['b', 2],
    ]);
    await expect(create('a')).rejects.toMatchObject({ status: 409 });
    const moved = await platform.bus.call(
      formFields.endpoints.reorderFormField,
      { agent_id: agentId, field_id: a.id },
      world.caller(),
    );
    expect(moved).toMatchObject({ id: a.id, field_key: 'a', position: 2 });
    expect(await update(a.id, { position: 0 })).toMatchObject({ id: a.id, label: 'a', position: 0 });
    expect(await update(a.id, { position: 99, label: 'last' })).toMatchObject({ id: a.id, label: 'last', position: 2 });
    expect((await keys()).map(([key]) => key)).toEqual(['c', 'b', 'a']);
    const drop = { agent_id: agentId, field_id: c.id };
    expect(await platform.bus.call(formFields.endpoints.deleteFormField, drop, world.caller())).toEqual({
      id: c.id,
      deleted: true,
    });
    expect(await keys()).toEqual([
      ['b', 0],
      ['a', 1],
    ]);
    await expect(platform.bus.call(formFields.endpoints.getFormField, drop, world.caller())).rejects.toMatchObject({
      message: 'form field not found',
    });
    await create('c');
  });

  it('are judged as a whole when a part of them changes', async () => {
    const { id } = await create('plan', { field_type: 'enum', enum_values: ['a', 'b'], default_value: 'a' });
    await expect(update(id, { enum_values: ['b'] })).rejects.toMatchObject({
      extras: { details: [{ field: 'default_value' }] },
    });
    await expect(update(id, { enum_values: null })).rejects.toMatchObject({ status: 400 });
    expect(await update(id, { enum_values: ['b'], default_value: null, description: 'which' })).toMatchObject({
      id,
      enum_values: ['b'],
      default_value: null,
      description: 'which',
      label: 'plan',
    });
    await expect(create('n', { field_type: 'number', default_value: 'x' })).rejects.toMatchObject({ status: 400 });
  });

  it('stay a permutation under 16 parallel moves', async () => {
    const made: { id: number }[] = [];
    for (const key of ['a', 'b', 'c', 'd', 'e']) made.push(await create(key));
    await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        platform.bus.call(
          formFields.endpoints.reorderFormField,
          { agent_id: agentId, field_id: made[n % 5]!.id, position: (n * 3) % 5 },
          world.caller(),
        ),
      ),
    );
    expect((await keys()).map(([, position]) => position)).toEqual([0, 1, 2, 3, 4]);
  });

  it('come back with a version and go with their agent', async () => {
    const { id } = await create('a');
    await create('b');
    await world.publish(agentId);
    const before = await world.get(agentId);
    await update(id, { label: 'changed' });
    expect(await world.get(agentId)).toMatchObject({ has_unpublished_changes: true });
    await platform.bus.call(formFields.endpoints.deleteFormField, { agent_id: agentId, field_id: id }, world.caller());
    const after = await restore('latest');
    const plain = (fields: typeof after.form_fields) => fields.map((field) => ({ ...field, date_updated: 0 }));
    expect(plain(after.form_fields)).toEqual(plain(before.form_fields));
    expect(after.has_unpublished_changes).toBe(false);
    await remove(agentId);
    const { rows } = await platform.sql.query(
      'SELECT count(*)::int AS left FROM agents.form_fields WHERE company_id = $1 AND deleted_at IS NULL',
      [world.companyId],
    );
    expect(rows[0]).toEqual({ left: 0 });
  });
});

describe('the state of a session', () => {
  startWithAnAgent();

  const session = { session_id: 'desk-1' };
  const put = (state: Record<string, unknown>, caller = world.caller()) =>
    platform.bus.call(
      agentSessions.endpoints.updateAgentSessionState,
      { agent_id: agentId, ...session, state },
      caller,
    );

  it('is changed value by value, as the form fields allow', async () => {
    await platform.bus.call(
      tasks.endpoints.invokeAgent,
      { agent_id: agentId, ...session, message: 'hi', secrets: {}, wait: true, stream: false, state: {}, metadata: {} },
      world.caller(),
    );
    expect((await put({ anything: 1 })).state).toEqual({ anything: 1 });
    await platform.bus.call(
      formFields.endpoints.createFormField,
      {
        agent_id: agentId,
        field_key: 'age',
        label: 'Age',
        field_type: 'number',
        required: false,
        read_scope: 'all',
        write_scope: 'all',
      },
      world.caller(),
    );
    expect(await put({ age: 4 })).toMatchObject({ session_id: 'desk-1', state: { anything: 1, age: 4 } });
    for (const [change, field] of [
      [{ age: 'four' }, 'state.age'],
      [{ colour: 'red' }, 'state.colour'],
    ] as const)
      await expect(put(change)).rejects.toMatchObject({ status: 400, extras: { details: [{ field }] } });
    expect((await put({ age: null })).state).toMatchObject({ age: null });
    const stranger = await World.make(platform);
    await expect(put({ age: 5 }, stranger.caller())).rejects.toMatchObject({ message: 'session not found' });
  });
});

describe('the audit of an agent', () => {
  startWithAnAgent();

  it('does not keep literal credentials of its actions', async () => {
    await world.action(agentId, 'a', {
      action_config: { endpoint: 'https://api.example.com/x', auth: { type: 'bearer', token: 'l1teral' } },
    });
    await link(agentId, await agent('Child'));
    const { rows } = await platform.sql.query('SELECT payload FROM agents.outbox WHERE company_id = $1', [
      world.companyId,
    ]);
    expect(JSON.stringify(rows)).not.toContain('l1teral');
    const page = await platform.bus.call(actions.endpoints.listActions, { ...PAGE, agent_id: agentId }, world.caller());
    expect(page.data).toHaveLength(1);
  });
});
