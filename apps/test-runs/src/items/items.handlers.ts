import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, notFound, testSetItems } from '@signalbox/contracts';
import { Database, likeTextInJson, filtersOf } from '@signalbox/database';
import { TestSets } from '../sets/index.js';
import { bodyBytes, updateItem } from './item.js';
import { TestSetItems } from './items.repository.js';
import { listedItemView } from './item-views.sql.js';

type C = typeof testSetItems;

@Serves(testSetItems)
export class TestSetItemHandlers implements Handlers<C> {
  constructor(
    private readonly items: TestSetItems,
    private readonly sets: TestSets,
    private readonly db: Database,
  ) {}

  listTestSetItems({ input, caller }: CallTo<C, 'listTestSetItems'>) {
    return this.items.page(caller.companyId, input.test_set_id, input);
  }

  searchTestSetItems({ input, caller }: CallTo<C, 'searchTestSetItems'>) {
    const { source_type, has_sub, text } = input;
    const like = text === undefined ? undefined : likeTextInJson(text);
    const filters = filtersOf(listedItemView, { source_type, has_sub, text: like });
    return this.items.page(caller.companyId, input.test_set_id, { ...input, filters });
  }

  createTestSetItem({ input: { test_set_id, ...body }, caller }: CallTo<C, 'createTestSetItem'>) {
    const item = {
      ...body,
      source_type: 'MANUAL',
      source_id: null,
      expected_output: body.expected_output ?? null,
    } as const;
    bodyBytes(item.input, item.expected_output);
    return this.db.withCompany(caller, async (tx) => {
      const set = await this.sets.lockItems(tx, test_set_id);
      const [record] = await this.items.add(tx, set, [item]);
      const id = record?.id ?? 0;
      tx.audit({
        action: 'create',
        resource_type: 'test_set_item',
        resource_id: String(id),
        before: null,
        after: item,
      });
      return this.items.readIn(tx, id);
    });
  }

  getTestSetItem({ input, caller }: CallTo<C, 'getTestSetItem'>) {
    return this.items.find(caller.companyId, input.test_set_id, input.item_id);
  }

  updateTestSetItem({ input: { test_set_id, item_id, ...change }, caller }: CallTo<C, 'updateTestSetItem'>) {
    return this.items.changeItem(caller, test_set_id, item_id, (row) => updateItem(row, change));
  }

  deleteTestSetItem({ input, caller }: CallTo<C, 'deleteTestSetItem'>) {
    return this.items.drop(caller, input.test_set_id, input.item_id);
  }

  async getResponseSub({ input, caller }: CallTo<C, 'getResponseSub'>) {
    const { response_sub } = await this.items.find(caller.companyId, input.test_set_id, input.item_id);
    if (!response_sub) throw notFound('response sub');
    return response_sub;
  }

  setResponseSub({ input, caller }: CallTo<C, 'setResponseSub'>) {
    const { expected_output, note = null } = input;
    return this.items.override(caller, input.test_set_id, input.item_id, { expected_output, note });
  }

  deleteResponseSub({ input, caller }: CallTo<C, 'deleteResponseSub'>) {
    return this.items.removeOverride(caller, input.test_set_id, input.item_id);
  }
}
