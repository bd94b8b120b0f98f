import { Serves } from '@signalbox/bus';
import { TextTests } from '@signalbox/conditions';
import {
  type Batch,
  type Caller,
  type CallTo,
  evaluations,
  type Handlers,
  type InputOf,
  type Intent,
  invalidField,
} from '@signalbox/contracts';
import { Intents } from '../../intents/index.js';
import { type AppliedSentinel, patternsOf, Sentinels } from '../../judging/index.js';
import { EvaluationEstimates } from './evaluation-estimates.js';
import { EvaluationRuns } from './evaluation-runs.repository.js';
import { RunResults } from './run-results.repository.js';

type C = typeof evaluations;
type Body = InputOf<C['endpoints']['createEvaluation']>;

@Serves(evaluations)
export class EvaluationHandlers implements Handlers<C> {
  constructor(
    private readonly runs: EvaluationRuns,
    private readonly results: RunResults,
    private readonly estimates: EvaluationEstimates,
    private readonly sentinels: Sentinels,
    private readonly intents: Intents,
    private readonly tests: TextTests,
  ) {}

  listEvaluations({ input, caller }: CallTo<C, 'listEvaluations'>) {
    return this.runs.list(caller.companyId, input);
  }

  async createEvaluation({ input, caller }: CallTo<C, 'createEvaluation'>) {
    const sentinels = await this.applied(input, caller);
    const { name = null, request_limit = null, sentinel_ids, ...run } = input;
    const ids = [...new Set(sentinel_ids)];
    return this.runs.create(caller, { ...run, name, request_limit, sentinel_ids: ids, sentinels });
  }

  async estimateEvaluation({ input, caller }: CallTo<C, 'estimateEvaluation'>) {
    return this.estimates.of(caller, input, await this.applied(input, caller));
  }

  getEvaluation({ keys }: Batch) {
    return this.runs.read(keys);
  }

  deleteEvaluation({ input, caller }: CallTo<C, 'deleteEvaluation'>) {
    return this.runs.remove(caller, input.evaluation_id);
  }

  cancelEvaluation({ input, caller }: CallTo<C, 'cancelEvaluation'>) {
    return this.runs.cancel(caller, input.evaluation_id);
  }

  resetFailed({ input, caller }: CallTo<C, 'resetFailed'>) {
    return this.runs.reset(caller, input.evaluation_id, input.classes ?? null);
  }

  async listRunResults({ input, caller }: CallTo<C, 'listRunResults'>) {
    await this.runs.running(caller.companyId, input.evaluation_id);
    return this.results.list(caller.companyId, input);
  }

  /** 404 for unknown ids, 400 for sentinels of another group. */
  private async applied(input: Body, { companyId }: Caller): Promise<AppliedSentinel[]> {
    const { application_id, intent_id, sentinel_ids, sentinel_overrides } = input;
    const intent = JSON.parse((await this.intents.getBelow(companyId, application_id, intent_id)).text) as Intent;
    const sentinels = await this.sentinels.named(companyId, [...new Set(sentinel_ids)], intent.intent_group_id);
    for (const id of Object.keys(sentinel_overrides))
      if (!sentinels.some((sentinel) => String(sentinel.id) === id))
        throw invalidField('sentinel_overrides', 'overrides a sentinel that is not among sentinel_ids');
    await this.tests.requirePatterns(companyId, Object.values(sentinel_overrides).flatMap(patternsOf));
    return sentinels.map((sentinel) => ({
      ...sentinel,
      sentinel_directive: sentinel_overrides[sentinel.id] ?? sentinel.sentinel_directive,
    }));
  }
}
