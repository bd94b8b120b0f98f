import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, testSetInputs } from '@signalbox/contracts';
import { TestSets } from '../sets/index.js';
import { ItemInputPages } from './item-inputs.repository.js';

type C = typeof testSetInputs;

@Serves(testSetInputs)
export class TestSetInputHandlers implements Handlers<C> {
  constructor(
    private readonly sets: TestSets,
    private readonly pages: ItemInputPages,
  ) {}

  async readItemInputs({ input: { test_set_id, after }, caller: { companyId } }: CallTo<C, 'readItemInputs'>) {
    await this.sets.require(companyId, test_set_id);
    return this.pages.read(companyId, test_set_id, after);
  }
}
