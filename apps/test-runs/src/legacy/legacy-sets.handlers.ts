import { BusClient, Serves } from '@signalbox/bus';
import { type Caller, type CallTo, type Handlers, intentGroups, legacyTestSets } from '@signalbox/contracts';
import { BulkImports } from '../imports/index.js';
import { TestSetItems } from '../items/index.js';
import { TestSetDeletion, TestSets, updateSet } from '../sets/index.js';
import { LegacySets } from './legacy-sets.repository.js';

type C = typeof legacyTestSets;

@Serves(legacyTestSets)
export class LegacySetHandlers implements Handlers<C> {
  constructor(
    private readonly legacy: LegacySets,
    private readonly sets: TestSets,
    private readonly deletion: TestSetDeletion,
    private readonly items: TestSetItems,
    private readonly imports: BulkImports,
    private readonly bus: BusClient,
  ) {}

  listLegacyTestSets({ input, caller }: CallTo<C, 'listLegacyTestSets'>) {
    return this.legacy.list(caller.companyId, input);
  }

  async createLegacyTestSet({ input: { name, intent_group_id }, caller }: CallTo<C, 'createLegacyTestSet'>) {
    await this.requireGroup(intent_group_id, caller);
    const meta = intent_group_id == null ? {} : { intent_group_id };
    const set = { name, consumer_kinds: ['MODEL' as const], criteria_ids: [], tags: [], meta };
    return this.sets.createFor(caller, set, (tx, id) => this.legacy.readIn(tx, id));
  }

  getLegacyTestSet({ input, caller }: CallTo<C, 'getLegacyTestSet'>) {
    return this.legacy.get(caller.companyId, input.id);
  }

  async updateLegacyTestSet({ input, caller }: CallTo<C, 'updateLegacyTestSet'>) {
    const { id, name, intent_group_id } = input;
    await this.sets.require(caller.companyId, id);
    await this.requireGroup(intent_group_id, caller);
    await this.sets.change(caller, id, ({ meta: { intent_group_id: former, ...meta } }) => {
      const group = intent_group_id === undefined ? former : intent_group_id;
      return updateSet({
        ...(name === undefined ? {} : { name }),
        ...(intent_group_id === undefined ? {} : { meta: group === null ? meta : { ...meta, intent_group_id: group } }),
      });
    });
    return this.legacy.get(caller.companyId, id);
  }

  deleteLegacyTestSet({ input, caller }: CallTo<C, 'deleteLegacyTestSet'>) {
    return this.deletion.delete(caller, input.id);
  }

  listLegacyTestSetRequests({ input, caller }: CallTo<C, 'listLegacyTestSetRequests'>) {
    return this.legacy.requests(caller.companyId, input.id, input);
  }

  async addLegacyTestSetRequests({ input: { id, request_ids }, caller }: CallTo<C, 'addLegacyTestSetRequests'>) {
    await this.sets.require(caller.companyId, id);
    const sources = request_ids.map((source_id) => ({ source_type: 'REQUEST' as const, source_id }));
    await this.imports.run(caller, id, sources, 'all');
    return this.legacy.requestsNamed(caller.companyId, id, request_ids);
  }

  async setLegacyResponse({ input, caller }: CallTo<C, 'setLegacyResponse'>) {
    const { id, request_id, message_content: content, tool_calls } = input;
    await this.legacy.requireRequest(caller.companyId, request_id);
    const message = { role: 'assistant' as const, content, ...(tool_calls?.length ? { tool_calls } : {}) };
    await this.items.override(caller, id, request_id, { expected_output: { message }, note: null });
    return { status: 'success' as const };
  }

  private async requireGroup(intent_group_id: number | null | undefined, caller: Caller): Promise<void> {
    if (intent_group_id == null) return;
    await this.bus.call(intentGroups.endpoints.getIntentGroup, { intent_group_id }, caller);
  }
}
