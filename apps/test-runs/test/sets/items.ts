import { type InputOf, testSetItems, testSets } from '@signalbox/contracts';
import { PAGE, World } from '../world.js';
import { platform, world } from './fixture.js';

const { endpoints } = testSetItems;

type Search = Partial<InputOf<typeof endpoints.searchTestSetItems>>;

async function found(test_set_id: number, filter: Search = {}): Promise<unknown[]> {
  const query = { ...PAGE, sort: 'position', test_set_id, ...filter };
  const { data } = await platform.bus.call(endpoints.searchTestSetItems, query, world.caller());
  return data.map(({ input }) => input?.messages?.[0]?.content ?? input?.input);
}

describe('items of a test set', () => {
  it('are added in order, counted, changed and deleted, each change with its event and audit entry', async () => {
    const { id: test_set_id } = await world.set();
    const first = await world.item(test_set_id, 'one');
    const second = await world.item(test_set_id, 'two', null);
    expect(first).toMatchObject({
      position: 0,
      source_type: 'MANUAL',
      source_id: null,
      baseline_hash: null,
      expected_output: { text: 'yes' },
      effective_expected_output: { text: 'yes' },
      response_sub: null,
    });
    expect(second).toMatchObject({ position: 1, expected_output: null, effective_expected_output: null });
    const path = { test_set_id, item_id: first.id };
    const json = { answer: { z: 1, a: 2 } };
    const changed = await platform.bus.call(
      endpoints.updateTestSetItem,
      { ...path, expected_output: { json } },
      world.caller(),
    );
    // The order of keys is kept: it is part of what a model would be sent.
    expect(JSON.stringify(changed.expected_output)).toBe(JSON.stringify({ json }));
    await platform.bus.call(endpoints.deleteTestSetItem, path, world.caller());
    const again = platform.bus.call(endpoints.getTestSetItem, path, world.caller());
    await expect(again).rejects.toMatchObject({ status: 404 });
    expect((await world.item(test_set_id, 'three')).position).toBe(2);
    expect(await found(test_set_id)).toEqual(['two', 'three']);
    const set = await platform.bus.call(testSets.endpoints.getTestSet, { test_set_id }, world.caller());
    expect(set.item_count).toBe(2);
    const events = ['added', 'updated', 'deleted'].map((name) => `test_set_item.${name}`);
    expect(await world.events('test_set_item', first.id)).toEqual(events);
    const actions = (await world.audits('test_set_item', first.id)).map(({ action }) => action);
    expect(actions).toEqual(['create', 'update', 'delete']);
  });

  it('are found by source, override and text of input, baseline and override', async () => {
    const { id } = await world.set();
    await world.item(id, 'Where is "my" order?', { text: 'on its way' });
    const { id: item_id } = await world.item(id, 'Cancel it', { json: { cancelled: true } });
    const sub = { test_set_id: id, item_id, expected_output: { text: 'refused 100%' } };
    await platform.bus.call(endpoints.setResponseSub, sub, world.caller());
    expect(await found(id, { text: '"MY" order' })).toEqual(['Where is "my" order?']);
    expect(await found(id, { text: 'its way' })).toEqual(['Where is "my" order?']);
    expect(await found(id, { text: '100%' })).toEqual(['Cancel it']);
    expect(await found(id, { text: '1_0' })).toEqual([]);
    expect(await found(id, { has_sub: true })).toEqual(['Cancel it']);
    expect(await found(id, { has_sub: false, source_type: 'MANUAL' })).toEqual(['Where is "my" order?']);
    expect(await found(id, { source_type: 'REQUEST' })).toEqual([]);
    expect(await found(id, { sort: '-position' })).toEqual(['Cancel it', 'Where is "my" order?']);
  });

  it('belong to their set and company, and end with their set', async () => {
    const { id: test_set_id } = await world.set();
    const { id: item_id } = await world.item(test_set_id, 'one');
    const { id: elsewhere } = await world.set({ name: 'Other' });
    const other = await World.make(platform);
    const get = (set: number, caller = world.caller()) =>
      platform.bus.call(endpoints.getTestSetItem, { test_set_id: set, item_id }, caller);
    const missing = { status: 404, message: 'test set item not found' };
    await expect(get(elsewhere)).rejects.toMatchObject(missing);
    await expect(get(test_set_id, other.caller())).rejects.toMatchObject(missing);
    const update = { test_set_id: elsewhere, item_id, meta: { a: 1 } };
    await expect(platform.bus.call(endpoints.updateTestSetItem, update, world.caller())).rejects.toMatchObject(missing);
    const remove = { test_set_id: elsewhere, item_id };
    await expect(platform.bus.call(endpoints.deleteTestSetItem, remove, world.caller())).rejects.toMatchObject(missing);
    await platform.bus.call(testSets.endpoints.deleteTestSet, { test_set_id }, world.caller());
    await expect(get(test_set_id)).rejects.toMatchObject(missing);
    await expect(world.item(test_set_id, 'two')).rejects.toMatchObject({ status: 404, message: 'test set not found' });
  });

  it('have an input and one kind of expected output', async () => {
    const { id: test_set_id } = await world.set();
    const add = (input: object, expected_output: object | null = null) =>
      platform.bus.call(endpoints.createTestSetItem, { test_set_id, input, expected_output, meta: {} }, world.caller());
    await expect(add({})).rejects.toMatchObject({ status: 400 });
    await expect(add({ messages: [] })).rejects.toMatchObject({ status: 400 });
    await expect(add({ input: 1 }, {})).rejects.toMatchObject({ status: 400 });
    await expect(add({ input: 1 }, { text: 'a', json: 1 })).rejects.toMatchObject({ status: 400 });
    await expect(add({ input: null }, { json: null })).resolves.toMatchObject({ expected_output: { json: null } });
  });

  it('are listed without their bodies when these are large, so that a page fits into one reply', async () => {
    const { id: test_set_id } = await world.set();
    await world.item(test_set_id, 'x'.repeat(40_000));
    const small = await world.item(test_set_id, 'y'.repeat(20_000));
    const query = { ...PAGE, sort: 'position', test_set_id };
    const { data } = await platform.bus.call(endpoints.listTestSetItems, query, world.caller());
    expect(data.map(({ bodies_omitted, input }) => [bodies_omitted, input === null])).toEqual([
      [true, true],
      [false, false],
    ]);
    const sub = { test_set_id, item_id: small.id, expected_output: { text: 'z'.repeat(20_000) } };
    await platform.bus.call(endpoints.setResponseSub, sub, world.caller());
    const later = await platform.bus.call(endpoints.listTestSetItems, query, world.caller());
    expect(later.data.map(({ bodies_omitted }) => bodies_omitted)).toEqual([true, true]);
  });

  it('get positions without gaps or repetitions when they are added at once', async () => {
    const { id: test_set_id } = await world.set();
    const added = await Promise.all(Array.from({ length: 12 }, (_, n) => world.item(test_set_id, `question ${n}`)));
    const positions = added.map(({ position }) => position).sort((a, b) => a - b);
    expect(positions).toEqual(Array.from({ length: 12 }, (_, n) => n));
    const set = await platform.bus.call(testSets.endpoints.getTestSet, { test_set_id }, world.caller());
    expect(set.item_count).toBe(12);
  });

  it('are at most ten thousand', async () => {
    const { id } = await world.set();
    await platform.sql.query('UPDATE "test-runs".test_sets SET item_count = 9999 WHERE id = $1', [id]);
    await world.item(id, 'last');
    await expect(world.item(id, 'one more')).rejects.toMatchObject({
      status: 409,
      message: 'the test set has 10000 items and can hold at most 10000',
    });
  });
});
