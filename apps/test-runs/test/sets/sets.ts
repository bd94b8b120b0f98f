import { evaluationCriteria, testSetItems, testSets } from '@signalbox/contracts';
import { PAGE, World } from '../world.js';
import { platform, world } from './fixture.js';

const { endpoints } = testSets;

describe('test sets', () => {
  it('are created, changed and deleted, each change with its event and audit entry', async () => {
    const set = await world.set({ tags: ['golden'] });
    expect(set).toMatchObject({
      name: 'Golden',
      item_count: 0,
      last_run_at: null,
      tags: ['golden'],
      description: null,
    });
    const path = { test_set_id: set.id };
    const changed = await platform.bus.call(
      endpoints.updateTestSet,
      { ...path, description: 'orders' },
      world.caller(),
    );
    expect(changed).toMatchObject({ description: 'orders', tags: ['golden'] });
    expect(await platform.bus.call(endpoints.deleteTestSet, path, world.caller())).toEqual({
      id: set.id,
      deleted: true,
    });
    await expect(platform.bus.call(endpoints.getTestSet, path, world.caller())).rejects.toMatchObject({
      status: 404,
      message: 'test_set not found',
    });
    expect(await world.events('test_set', set.id)).toEqual(
      ['created', 'updated', 'deleted'].map((n) => `test_set.${n}`),
    );
    expect((await world.audits('test_set', set.id)).map(({ action }) => action)).toEqual([
      'create',
      'update',
      'delete',
    ]);
  });

  it('are listed by tag and consumer, within the company', async () => {
    await world.set({ name: 'A', tags: ['x', 'y'], consumer_kinds: ['MODEL'] });
    await world.set({ name: 'B', tags: ['y'], consumer_kinds: ['AGENT', 'WORKFLOW'] });
    const other = await World.make(platform);
    const names = async (filter: object, company = world) => {
      const { data } = await platform.bus.call(endpoints.listTestSets, { ...PAGE, ...filter }, company.caller());
      return data.map(({ name }) => name);
    };
    expect(await names({})).toEqual(['B', 'A']);
    expect(await names({ tag: 'x' })).toEqual(['A']);
    expect(await names({ tag: 'y', sort: 'name' })).toEqual(['A', 'B']);
    expect(await names({ consumer_kind: 'WORKFLOW' })).toEqual(['B']);
    expect(await names({}, other)).toEqual([]);
  });

  it('name criteria that exist and that cannot be deleted meanwhile', async () => {
    const { id } = await world.criterion();
    const stranger = await (await World.make(platform)).criterion();
    for (const unknown of [stranger.id, 2_000_000_000])
      await expect(world.set({ criteria_ids: [id, unknown] })).rejects.toMatchObject({
        status: 404,
        message: 'evaluation criteria not found',
      });
    const set = await world.set({ criteria_ids: [id] });
    const remove = () =>
      platform.bus.call(evaluationCriteria.endpoints.deleteCriteria, { criteria_id: id }, world.caller());
    await expect(remove()).rejects.toMatchObject({ status: 409, message: expect.stringContaining(String(set.id)) });
    const change = { test_set_id: set.id, criteria_ids: [] };
    await platform.bus.call(endpoints.updateTestSet, change, world.caller());
    await expect(remove()).resolves.toMatchObject({ deleted: true });
  });

  it('are never left with a criterion that is deleted while they name it', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await world.criterion({ name: `Exact ${round}` });
      const [named, removed] = await Promise.allSettled([
        world.set({ name: `Set ${round}`, criteria_ids: [id] }),
        platform.bus.call(evaluationCriteria.endpoints.deleteCriteria, { criteria_id: id }, world.caller()),
      ]);
      expect([named.status, removed.status].sort()).toEqual(['fulfilled', 'rejected']);
    }
  });

  it('are copied with their items, overrides and order, and both can be changed apart', async () => {
    const set = await world.set({ tags: ['golden'] });
    const items = [];
    for (const question of ['one', 'two', 'three']) items.push(await world.item(set.id, question));
    const [first, second] = items;
    const sub = { test_set_id: set.id, item_id: second!.id, expected_output: { text: 'no' }, note: 'why' };
    await platform.bus.call(testSetItems.endpoints.setResponseSub, sub, world.caller());
    const gone = { test_set_id: set.id, item_id: first!.id };
    await platform.bus.call(testSetItems.endpoints.deleteTestSetItem, gone, world.caller());

    const copy = await platform.bus.call(endpoints.cloneTestSet, { test_set_id: set.id, name: 'Copy' }, world.caller());
    expect(copy).toMatchObject({ name: 'Copy', tags: ['golden'], item_count: 2 });
    const query = { ...PAGE, sort: 'position', test_set_id: copy.id };
    const { data } = await platform.bus.call(testSetItems.endpoints.listTestSetItems, query, world.caller());
    expect(
      data.map(({ input, effective_expected_output }) => [input?.messages?.[0]?.content, effective_expected_output]),
    ).toEqual([
      ['two', { text: 'no' }],
      ['three', { text: 'yes' }],
    ]);
    expect(data[0]).toMatchObject({ expected_output: { text: 'yes' }, response_sub: { note: 'why' } });
    const own = { test_set_id: copy.id, item_id: data[0]!.id };
    await platform.bus.call(testSetItems.endpoints.deleteResponseSub, own, world.caller());
    const kept = { test_set_id: set.id, item_id: second!.id };
    const original = await platform.bus.call(testSetItems.endpoints.getTestSetItem, kept, world.caller());
    expect(original.effective_expected_output).toEqual({ text: 'no' });
    expect((await world.item(copy.id, 'four')).position).toBe(3);
    expect(await world.events('test_set_item', data[0]!.id)).toEqual([
      'test_set_item.added',
      'test_set_item.override_removed',
    ]);
    await expect(
      platform.bus.call(endpoints.cloneTestSet, { test_set_id: set.id, name: 'Copy' }, world.caller()),
    ).rejects.toMatchObject({ status: 409 });
  });
});
