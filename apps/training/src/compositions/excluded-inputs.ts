import { Injectable } from '@nestjs/common';
import { BusClient } from '@signalbox/bus';
import { ApiError, type Caller, type ItemInputs, testSetInputs } from '@signalbox/contracts';

/** As `after`, selects nothing: no item has a greater id. */
const NO_ITEM = 2_147_483_647;

/** Training data must not contain the inputs of test items. */
@Injectable()
export class ExcludedInputs {
  constructor(private readonly bus: BusClient) {}

  /** Throws 404 when a test set does not exist. */
  async require(setIds: readonly number[], caller: Caller): Promise<void> {
    for (const id of setIds) await this.page(id, NO_ITEM, caller);
  }

  /** Item ids by the hash of their input; a deleted set excludes nothing. */
  async read(setIds: readonly number[], caller: Caller): Promise<Map<string, number>> {
    const items = new Map<string, number>();
    for (const id of setIds)
      for (let after: number | null = 0; after !== null;) {
        const page: ItemInputs = await this.page(id, after, caller).catch(missing);
        for (const { item_id, input_hash } of page.inputs) items.set(input_hash, item_id);
        after = page.after;
      }
    return items;
  }

  private page(test_set_id: number, after: number, caller: Caller) {
    return this.bus.call(testSetInputs.endpoints.readItemInputs, { test_set_id, after }, caller);
  }
}

function missing(error: unknown): ItemInputs {
  if (error instanceof ApiError && error.kind === 'not_found') return { inputs: [], after: null };
  throw error;
}
