import { type Expected, testSetItems } from '@signalbox/contracts';
import { platform, world } from './fixture.js';

const { endpoints } = testSetItems;

describe('the override of an expected output', () => {
  it('takes precedence and leaves the baseline, and its former versions keep their rows', async () => {
    const { id: test_set_id } = await world.set();
    const { id: item_id } = await world.item(test_set_id, 'one');
    const path = { test_set_id, item_id };
    const keyId = 77;
    const set = (expected_output: Expected, note?: string) =>
      platform.bus.call(
        endpoints.setResponseSub,
        { ...path, expected_output, ...(note ? { note } : {}) },
        world.caller({ keyId }),
      );
    const get = () => platform.bus.call(endpoints.getResponseSub, path, world.caller());

    await expect(get()).rejects.toMatchObject({ status: 404, message: 'response sub not found' });
    const first = await set({ text: 'no' }, 'a person looked');
    expect(first).toMatchObject({
      expected_output: { text: 'yes' },
      effective_expected_output: { text: 'no' },
      response_sub: { expected_output: { text: 'no' }, note: 'a person looked', author_key_id: keyId },
    });
    const second = await set({ json: { answer: false } });
    expect(second.response_sub?.id).toBeGreaterThan(first.response_sub?.id ?? Infinity);
    expect(second.response_sub?.note).toBeNull();
    expect(await get()).toEqual(second.response_sub);

    const removed = await platform.bus.call(endpoints.deleteResponseSub, path, world.caller());
    expect(removed).toEqual({ id: second.response_sub?.id, deleted: true });
    const item = await platform.bus.call(endpoints.getTestSetItem, path, world.caller());
    expect(item).toMatchObject({ response_sub: null, effective_expected_output: { text: 'yes' } });
    await expect(platform.bus.call(endpoints.deleteResponseSub, path, world.caller())).rejects.toMatchObject({
      status: 404,
    });

    const { rows } = await platform.sql.query<{ id: number }>(
      'SELECT id FROM "test-runs".response_subs WHERE item_id = $1 AND deleted_at IS NOT NULL ORDER BY id',
      [item_id],
    );
    expect(rows.map(({ id }) => id)).toEqual([first.response_sub?.id, second.response_sub?.id]);
    const names = ['added', 'override_set', 'override_set', 'override_removed'].map((name) => `test_set_item.${name}`);
    expect(await world.events('test_set_item', item_id)).toEqual(names);
  });

  it('leaves one override when several are set at once', async () => {
    const { id: test_set_id } = await world.set();
    const { id: item_id } = await world.item(test_set_id, 'one');
    const path = { test_set_id, item_id };
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        platform.bus.call(endpoints.setResponseSub, { ...path, expected_output: { text: `${n}` } }, world.caller()),
      ),
    );
    const { rows } = await platform.sql.query<{ live: number; all: number }>(
      `SELECT count(*) FILTER (WHERE deleted_at IS NULL)::int AS live, count(*)::int AS all
       FROM "test-runs".response_subs WHERE item_id = $1`,
      [item_id],
    );
    expect(rows).toEqual([{ live: 1, all: 12 }]);
  });
});
