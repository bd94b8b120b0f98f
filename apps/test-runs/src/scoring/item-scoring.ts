import { Injectable } from '@nestjs/common';
import type { CriterionResult } from '@signalbox/contracts';
import {
  agreementOf,
  diffOutputs,
  type Criterion,
  type Expectation,
  expectationOf,
  type JudgeContext,
  judgedSha256,
  judgementId,
  Judges,
  type Observed,
  scoredItem,
  type ScoredRepeat,
  verdictOf,
} from '../judging/index.js';
import { type ItemSteps, StepReader } from '../steps/index.js';
import { type NewScore, RunScores, type ScorableItem, type StoredScore } from './run-scores.repository.js';

export interface ScoringRules {
  /** Null for a run without criteria; disabled ones are skipped. */
  criteria: readonly Criterion[] | null;
  judges: readonly (string | null)[];
  context: JudgeContext;
}

interface HashedItem {
  item: ScorableItem;
  expectation: Expectation;
  sha256: string;
}

/** What was judged before by the same hash is not judged again. */
@Injectable()
export class ItemScoring {
  constructor(
    private readonly scores: RunScores,
    private readonly judges: Judges,
    private readonly steps: StepReader,
  ) {}

  /** By the current judges. */
  async rules(criteria: readonly Criterion[] | null, context: JudgeContext): Promise<ScoringRules> {
    const judges = (criteria ?? []).map((criterion) => this.judges.modelOf(context.companyId, criterion));
    return { criteria, judges: await Promise.all(judges), context };
  }

  /** All or none: rejects when a judge is down. */
  async score(items: readonly ScorableItem[], rules: ScoringRules): Promise<NewScore[]> {
    const hashed = items.map((item) => this.hashed(item, rules));
    const wanted = hashed.filter((each) => !isKept(each)).map(({ item, sha256 }) => ({ id: item.id, sha256 }));
    const before = await this.scores.judgedBefore(rules.context.companyId, wanted);
    return Promise.all(hashed.map((each) => this.scoreOf(each, before.get(each.item.id), rules)));
  }

  private hashed(item: ScorableItem, { criteria, judges }: ScoringRules): HashedItem {
    const expectation = expectationOf(item.baseline, item.sub);
    const outputs = item.repeats.map(({ actual_output }) => actual_output);
    const observed = item.repeats.map((repeat) => observedIn(item, repeat));
    const inputs = { outputs, expected: expectation.output, criteria, judges, observed };
    return { item, expectation, sha256: judgedSha256(inputs) };
  }

  private async scoreOf(
    { item, expectation, sha256 }: HashedItem,
    before: (StoredScore & { tries: number }) | undefined,
    rules: ScoringRules,
  ): Promise<NewScore> {
    const { score } = item;
    const made = { item, judged_sha256: sha256, meta_md5: hasScript(rules) ? item.meta_md5 : null };
    const known = isKept({ item, sha256 }) ? score : before?.failure_class === null ? before : null;
    if (known) {
      const isSame = score === known && isOf(score, item.attempts, expectation) && score.meta_md5 === made.meta_md5;
      return { ...made, isNew: !isSame, ...withExpectation(known, expectation) };
    }
    const repeats: ScoredRepeat[] = [];
    for (const [at, repeat] of item.repeats.entries())
      repeats.push(
        await this.scoreRepeat(item, repeat, {
          expectation,
          rules,
          judged: resultsOf(before, at),
          idOf: (criterion) => judgementId([item.id, sha256, at, criterion, before?.tries ?? 0]),
        }),
      );
    return { ...made, isNew: true, ...scoredItem(expectation, repeats) };
  }

  private async scoreRepeat(
    item: ScorableItem,
    repeat: ScorableItem['repeats'][number],
    { expectation, rules: { criteria, context }, judged, idOf }: Scored,
  ): Promise<ScoredRepeat> {
    const { actual_output: actual } = repeat;
    // A consumer that has worked and failed has no output, and does not match.
    if (!actual) return { matched: false, failure_class: null, diff: null, criteria: [] };
    const { output: expected } = expectation;
    const diff = expected && diffOutputs(expected, actual);
    const judgedItem = { input: item.adapted_input, expected, actual, observed: observedIn(item, repeat) };
    const results: CriterionResult[] = [];
    let read: Promise<ItemSteps> | undefined;
    const { companyId, signal } = context;
    const { source_ref: ref, completed_at: endedAt } = repeat;
    const steps = () => (read ??= this.steps.read({ companyId, ref, endedAt, signal }));
    for (const criterion of criteria ?? []) {
      const kept = judged.find(({ criteria_id }) => criteria_id === criterion.id);
      const result =
        kept ?? (await this.judges.judge(criterion, judgedItem, { ...context, steps, requestId: idOf(criterion.id) }));
      if (result) results.push(result);
    }
    return { ...verdictOf(diff, criteria && results), diff, criteria: results };
  }
}

const observedIn = (
  { test_set_item_id: id, meta: metadata }: ScorableItem,
  { duration_ms: latency_ms, cost, source_ref, completed_at: ended_at }: ScorableItem['repeats'][number],
): Observed => ({ item: { id, metadata }, latency_ms, cost, source_ref, ended_at });

interface Scored {
  expectation: Expectation;
  rules: ScoringRules;
  judged: readonly CriterionResult[];
  idOf: (criterion: number) => string;
}

/** Scripts alone see the `meta` of an item. */
const hasScript = ({ criteria }: ScoringRules): boolean => criteria?.some(({ method }) => method === 'SCRIPT') ?? false;

/** A score whose judge failed is made again. */
const isKept = ({ item: { score }, sha256 }: Pick<HashedItem, 'item' | 'sha256'>): boolean =>
  score?.judged_sha256 === sha256 && score.failure_class === null;

const isOf = (score: StoredScore, attempts: number, { source, sub_id }: Expectation): boolean =>
  score.attempt === attempts && score.expectation_source === source && score.response_sub_id === sub_id;

function withExpectation(
  { attempt: _attempt, judged_sha256: _sha, meta_md5: _meta, ...state }: StoredScore,
  { source, output, sub_id }: Expectation,
): Pick<NewScore, 'score' | 'agreement'> {
  const score = { ...state, expectation_source: source, expected_output_used: output, response_sub_id: sub_id };
  return { score, agreement: agreementOf(state.repeats_matched) };
}

/** Without results of failed judges. */
function resultsOf(before: StoredScore | undefined, repeat: number): CriterionResult[] {
  const results = before ? (before.repeats_results?.[repeat] ?? (repeat === 0 ? before.criteria_results : [])) : [];
  return results.filter(({ failure_class }) => !failure_class);
}
