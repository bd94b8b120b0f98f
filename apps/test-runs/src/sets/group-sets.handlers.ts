import { BusClient, Serves } from '@signalbox/bus';
import { type CallTo, groupTestSets, type Handlers, intentGroups } from '@signalbox/contracts';
import { TestSets } from './sets.repository.js';

type C = typeof groupTestSets;

@Serves(groupTestSets)
export class GroupTestSetHandlers implements Handlers<C> {
  constructor(
    private readonly sets: TestSets,
    private readonly bus: BusClient,
  ) {}

  async listIntentGroupTestSets({ input, caller }: CallTo<C, 'listIntentGroupTestSets'>) {
    const { intent_group_id } = input;
    const group = await this.bus.call(intentGroups.endpoints.getIntentGroup, { intent_group_id }, caller);
    return this.sets.listOfGroup(caller.companyId, { id: intent_group_id, name: group.intent_group_name }, input);
  }
}
