import { Serves } from '@signalbox/bus';
import {
  type CallTo,
  type Handlers,
  type LegacyTestRun,
  legacyTestRuns,
  notFound,
  parseConsumerConfig,
} from '@signalbox/contracts';
import { ComparedRuns, Comparisons } from '../run-comparison/index.js';
import { ConsumerExecutors } from '../consumers/index.js';
import { type LockedTestRun, TestRunRows } from '../run-records/index.js';
import { ScoreRequests } from '../scoring/index.js';
import { LegacyRuns } from './legacy-runs.repository.js';
import { isLegacyKind, KINDS } from './legacy-runs.sql.js';

type C = typeof legacyTestRuns;

@Serves(legacyTestRuns)
export class LegacyRunHandlers implements Handlers<C> {
  constructor(
    private readonly legacy: LegacyRuns,
    private readonly rows: TestRunRows,
    private readonly consumers: ConsumerExecutors,
    private readonly scoring: ScoreRequests,
    private readonly comparisons: Comparisons,
    private readonly compared: ComparedRuns,
  ) {}

  listLegacyTestRuns({ input, caller }: CallTo<C, 'listLegacyTestRuns'>) {
    return this.legacy.list(caller.companyId, input);
  }

  async createLegacyTestRun({ input, caller }: CallTo<C, 'createLegacyTestRun'>) {
    const earlier = caller.idempotency?.earlier as LegacyTestRun | undefined;
    if (earlier) return earlier;
    const { test_set_id, type, description = null, config } = input;
    const consumer_kind = KINDS[type];
    const consumer_config = parseConsumerConfig(consumer_kind, config);
    const target = await this.consumers.find(consumer_kind, consumer_config, caller);
    const run = {
      test_set_id,
      name: null,
      description,
      meta: {},
      consumer_kind,
      consumer_config: target.config ?? consumer_config,
      consumer_id: target.id,
      target_name: target.name,
      auto_score: true,
      repeats: 1,
    };
    return this.legacy.start(caller, run, target);
  }

  getLegacyTestRun({ input, caller }: CallTo<C, 'getLegacyTestRun'>) {
    return this.legacy.get(caller.companyId, input.id);
  }

  async deleteLegacyTestRun({ input, caller }: CallTo<C, 'deleteLegacyTestRun'>) {
    await this.find(caller.companyId, input.id);
    return this.rows.remove(caller, input.id);
  }

  async listLegacyRunItems({ input: { id, ...query }, caller: { companyId } }: CallTo<C, 'listLegacyRunItems'>) {
    const run = await this.find(companyId, id);
    return this.legacy.items(companyId, run.id, query);
  }

  async scoreLegacyTestRun({ input, caller }: CallTo<C, 'scoreLegacyTestRun'>) {
    return this.scoring.score(caller, await this.find(caller.companyId, input.id), null);
  }

  async compareLegacyTestRuns({ input, caller }: CallTo<C, 'compareLegacyTestRuns'>) {
    const { companyId } = caller;
    for (const { id } of await this.compared.runs(companyId, input.test_run_ids)) await this.find(companyId, id);
    return this.comparisons.compare(caller, input);
  }

  /** 404 also for runs that are not of a legacy type. */
  private async find(companyId: number, id: number): Promise<LockedTestRun> {
    const run = await this.rows.find(companyId, id);
    if (!isLegacyKind(run.consumer_kind)) throw notFound('test run');
    return run;
  }
}
