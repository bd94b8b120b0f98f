import { Serves } from '@signalbox/bus';
import { TextTests } from '@signalbox/conditions';
import { type Batch, type CallTo, emits, type Handlers, sentinels } from '@signalbox/contracts';
import { EvaluatedCompanies } from '../watched-companies/index.js';
import {
  EvaluationResults,
  newSentinel,
  patternsOf,
  Sentinels,
  settingsOf,
  switchSentinel,
  updateSentinel,
} from '../judging/index.js';
import { IntentGroups } from '../intent-groups/index.js';
import { SentinelProposals } from './sentinel-proposals.js';
import { SentinelTrials } from './sentinel-trials.js';

type C = typeof sentinels;

@Serves(sentinels)
export class SentinelHandlers implements Handlers<C> {
  constructor(
    private readonly sentinels: Sentinels,
    private readonly groups: IntentGroups,
    private readonly results: EvaluationResults,
    private readonly trials: SentinelTrials,
    private readonly proposals: SentinelProposals,
    private readonly companies: EvaluatedCompanies,
    private readonly tests: TextTests,
  ) {}

  listSentinels({ input, caller }: CallTo<C, 'listSentinels'>) {
    return this.sentinels.listBy(caller.companyId, input);
  }

  async createSentinel({ input, caller }: CallTo<C, 'createSentinel'>) {
    const sentinel = newSentinel(input);
    await this.tests.requirePatterns(caller.companyId, patternsOf(sentinel.sentinel_directive));
    const created = await this.sentinels.create(caller, sentinel, [emits('sentinel.created')], async (tx) => {
      await this.sentinels.requireGroup(tx, sentinel.intent_group_id);
      await this.sentinels.requireModel(tx, settingsOf(sentinel.meta).model);
      await this.sentinels.requireCapacity(tx, sentinel.intent_group_id);
    });
    this.companies.changed(caller.companyId);
    return created;
  }

  generateSentinel({ input, caller, signal }: CallTo<C, 'generateSentinel'>) {
    return this.proposals.propose(caller, input, signal);
  }

  getSentinel({ keys }: Batch) {
    return this.sentinels.read(keys);
  }

  async updateSentinel({ input: { sentinel_id, ...change }, caller }: CallTo<C, 'updateSentinel'>) {
    const patterns = patternsOf(change.sentinel_directive ?? {});
    // First, so that an unknown sentinel is 404 whatever the pattern is.
    if (patterns.length > 0) await this.sentinels.get(caller.companyId, sentinel_id);
    await this.tests.requirePatterns(caller.companyId, patterns);
    return this.sentinels.change(
      caller,
      sentinel_id,
      (row) => updateSentinel(row, change),
      (tx) => this.sentinels.requireModel(tx, settingsOf(change.meta ?? {}).model),
    );
  }

  deleteSentinel({ input, caller }: CallTo<C, 'deleteSentinel'>) {
    return this.sentinels.remove(caller, input.sentinel_id, () => ({ events: [emits('sentinel.deleted')] }));
  }

  async enableSentinel({ input, caller }: CallTo<C, 'enableSentinel'>) {
    const enabled = await this.sentinels.change(caller, input.sentinel_id, (row) => switchSentinel(row, 'ENABLED'));
    this.companies.changed(caller.companyId);
    return enabled;
  }

  disableSentinel({ input, caller }: CallTo<C, 'disableSentinel'>) {
    return this.sentinels.change(caller, input.sentinel_id, (row) => switchSentinel(row, 'DISABLED'));
  }

  testSentinel({ input, caller, signal }: CallTo<C, 'testSentinel'>) {
    return this.trials.run(caller, input, signal);
  }

  async listSentinelResults({ input, caller }: CallTo<C, 'listSentinelResults'>) {
    await this.sentinels.get(caller.companyId, input.sentinel_id);
    return this.results.list(caller.companyId, input);
  }

  async listIntentGroupSentinels({ input, caller }: CallTo<C, 'listIntentGroupSentinels'>) {
    await this.groups.get(caller.companyId, input.intent_group_id);
    return this.sentinels.listBy(caller.companyId, input);
  }
}
