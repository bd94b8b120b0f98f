import { Injectable } from '@nestjs/common';
import type { Caller, CriterionResult, ScoreSummary } from '@signalbox/contracts';
import type { LockedTestRun } from '../runs/test-run-kind.js';
import { compareOutputs } from './comparison.js';
import { type Criterion, type JudgeContext, Judges } from './judges.js';
import { type NewScore, RunScores, type ScorableItem, SLICE } from './run-scores.repository.js';
import { ScoreSummaries } from './score-summaries.repository.js';
import { scoredItem, type ScoredRepeat } from './scored-item.js';
import { type Expectation, expectationOf, verdictOf } from './verdict.js';

/** Slices that are written at once. */
const WRITTEN_AT_ONCE = 2;
/** Items judged by models at once. */
const JUDGED_AT_ONCE = 16;

/** Scores runs: every item with an output, slice by slice, and then their sum. */
@Injectable()
export class Scoring {
  constructor(
    private readonly scores: RunScores,
    private readonly summaries: ScoreSummaries,
    private readonly judges: Judges,
  ) {}

  /** Scores a run on behalf of a caller; the criteria are those of the run unless others are given. */
  async score(caller: Caller, run: LockedTestRun, criteria: readonly number[] | null): Promise<ScoreSummary> {
    const left = AbortSignal.timeout(Math.max(1, caller.deadline - Date.now()));
    await this.scoreItems(caller.companyId, run, criteria, left);
    return this.summaries.finish(caller, run.no, criteria);
  }

  /** Scores the items; what an interrupted scoring has written is written again by the next one. */
  async scoreItems(
    companyId: number,
    run: LockedTestRun,
    given: readonly number[] | null,
    signal: AbortSignal,
  ): Promise<void> {
    const ids = given ?? run.criteria_ids;
    const criteria = await this.scores.criteria(companyId, ids);
    const context = { companyId, originId: String(run.no), signal };
    const left = await this.scores.scorable(companyId, run.id);
    const writes: Promise<void>[] = [];
    for (let items = await this.slice(companyId, left); items.length > 0;) {
      signal.throwIfAborted();
      // The database writes the last slices and reads the next one while this one is judged.
      const [scored, next] = await Promise.all([
        this.judgedSlice(items, ids.length > 0 ? criteria : null, context),
        this.slice(companyId, left),
        writes.length < WRITTEN_AT_ONCE ? null : writes.shift(),
      ]);
      const written = this.scores.write(companyId, run.id, scored);
      // A failure is thrown by a later turn.
      written.catch(() => undefined);
      writes.push(written);
      items = next;
    }
    await Promise.all(writes);
  }

  /** Takes the next items from those that are left; items that have lost their output meanwhile are left out. */
  private async slice(companyId: number, left: number[]): Promise<ScorableItem[]> {
    while (left.length > 0) {
      const items = await this.scores.slice(companyId, left);
      const last = items.at(-1);
      left.splice(0, last ? left.indexOf(last.id) + 1 : SLICE);
      if (last) return items;
    }
    return [];
  }

  private async judgedSlice(
    items: readonly ScorableItem[],
    criteria: readonly Criterion[] | null,
    context: JudgeContext,
  ): Promise<NewScore[]> {
    const scored: NewScore[] = [];
    for (let at = 0; at < items.length; at += JUDGED_AT_ONCE) {
      const some = items.slice(at, at + JUDGED_AT_ONCE);
      scored.push(...(await Promise.all(some.map((item) => this.scoreItem(item, criteria, context)))));
    }
    return scored;
  }

  /** `criteria` is null for a run without criteria; those that are disabled are skipped. */
  private async scoreItem(
    item: ScorableItem,
    criteria: readonly Criterion[] | null,
    context: JudgeContext,
  ): Promise<NewScore> {
    const expectation = expectationOf(item.baseline, item.sub);
    const repeats: ScoredRepeat[] = [];
    for (const repeat of item.repeats)
      repeats.push(await this.scoreRepeat(item, repeat, { expectation, criteria, context }));
    return { item, ...scoredItem(expectation, repeats) };
  }

  private async scoreRepeat(
    item: ScorableItem,
    { actual_output: actual }: ScorableItem['repeats'][number],
    { expectation, criteria, context }: Scored,
  ): Promise<ScoredRepeat> {
    // A consumer that has worked and failed has no output, and does not match.
    if (!actual) return { matched: false, failure_class: null, diff: null, criteria: [] };
    const { output: expected } = expectation;
    const diff = expected && compareOutputs(expected, actual);
    const results: CriterionResult[] = [];
    for (const criterion of criteria ?? []) {
      const result = await this.judges.judge(criterion, { input: item.adapted_input, expected, actual }, context);
      if (result) results.push(result);
    }
    return { ...verdictOf(diff, criteria && results), diff, criteria: results };
  }
}

interface Scored {
  expectation: Expectation;
  criteria: readonly Criterion[] | null;
  context: JudgeContext;
}
