import { Injectable } from '@nestjs/common';
import { CompanyProfiles } from '@signalbox/clients';
import { type Caller, type EvaluationEstimate, nullIfNotFound } from '@signalbox/contracts';
import { costOf } from '@signalbox/llm';
import { CallTargets } from '../../call-targets/index.js';
import { type AppliedSentinel, settingsOf, verdictMessages } from '../../judging/index.js';
import { type SelectionRange, type RequestSelection, SelectedRequests } from './selected-requests.repository.js';

/** Characters per token, roughly. */
const TOKEN_LENGTH = 4;
const VERDICT_TOKENS = 60;

@Injectable()
export class EvaluationEstimates {
  constructor(
    private readonly selected: SelectedRequests,
    private readonly targets: CallTargets,
    private readonly profiles: CompanyProfiles,
  ) {}

  async of(
    caller: Caller,
    selection: RequestSelection,
    sentinels: readonly AppliedSentinel[],
  ): Promise<EvaluationEstimate> {
    const extent = await this.selected.extent(caller.companyId, selection);
    const costs = await Promise.all(sentinels.map((sentinel) => this.cost(caller, sentinel, extent)));
    const total = costs.reduce<number | null>((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0);
    return {
      request_count: extent.count,
      judgement_count: extent.count * sentinels.length,
      estimated_cost: total === null ? null : Number(total.toFixed(10)),
    };
  }

  /** Null for a model without prices, and for one that cannot be called. */
  private async cost(caller: Caller, sentinel: AppliedSentinel, extent: SelectionRange): Promise<number | null> {
    const { settings } = await this.profiles.of(caller);
    const model = settingsOf(sentinel.meta).model ?? settings.judge_model;
    const target = await this.targets.model(caller, model).catch(nullIfNotFound);
    if (!target) return null;
    const rules = JSON.stringify(verdictMessages(sentinel.sentinel_directive, { response: [] })).length / TOKEN_LENGTH;
    const prompt_tokens = Math.ceil(extent.count * rules) + extent.prompt_tokens + extent.completion_tokens;
    const completion_tokens = extent.count * VERDICT_TOKENS;
    const total_tokens = prompt_tokens + completion_tokens;
    return costOf({ prompt_tokens, completion_tokens, total_tokens }, target.prices);
  }
}
