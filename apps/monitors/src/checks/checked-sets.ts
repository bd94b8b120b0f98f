import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller } from '@signalbox/bus';
import { type Caller, nullIfNotFound, testSetItems, testSets } from '@signalbox/contracts';
import type { NewCheckItem } from './check-items.repository.js';
import { type CheckedItem, expectedOutcomeOf } from './checked-item.js';

const READ_MS = 15_000;
const PAGE = 100;

@Injectable()
export class CheckedSets {
  constructor(private readonly bus: BusClient) {}

  /** Throws 404. */
  async require(test_set_id: number, caller: Caller): Promise<void> {
    await this.bus.call(testSets.endpoints.getTestSet, { test_set_id }, caller);
  }

  /** Empty for a deleted set. */
  async items(companyId: number, test_set_id: number): Promise<NewCheckItem[]> {
    const items: NewCheckItem[] = [];
    for (;;) {
      const page = { test_set_id, offset: items.length, limit: PAGE, sort: 'position' };
      const read = await this.bus
        .call(testSetItems.endpoints.listTestSetItems, page, serviceCaller(companyId, Date.now() + READ_MS))
        .catch(nullIfNotFound);
      const data = read?.data ?? [];
      items.push(
        ...data.map(({ id, position, meta }) => ({
          test_set_item_id: id,
          position,
          expected_outcome: expectedOutcomeOf(meta),
        })),
      );
      if (data.length < PAGE) return items;
    }
  }

  /** Null for a deleted item. */
  item(companyId: number, test_set_id: number, item_id: number): Promise<CheckedItem | null> {
    const caller = serviceCaller(companyId, Date.now() + READ_MS);
    return this.bus.call(testSetItems.endpoints.getTestSetItem, { test_set_id, item_id }, caller).catch(nullIfNotFound);
  }
}
